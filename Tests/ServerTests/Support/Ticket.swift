import TrendyDomain
import TrendyServer

/// A kind of record that only these tests know.
struct Ticket: SyncEntity {
    static let entityType: EntityType = "ticket"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    static let naturalKey = ["number"]
    static let parents = [
        ParentReference(field: "board_id", entityType: "board", onDelete: .cascade),
        ParentReference(field: "blocked_by_id", entityType: "ticket", onDelete: .clear),
        ParentReference(field: "duplicate_of_id", entityType: "ticket", onDelete: .clear),
    ]

    var id: String
    var boardId: String
    var number: Int
    var blockedById: String?
    var duplicateOfId: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, number
        case boardId = "board_id"
        case blockedById = "blocked_by_id"
        case duplicateOfId = "duplicate_of_id"
    }
}

/// The parent of tickets.
struct Board: SyncEntity {
    static let entityType: EntityType = "board"
    static let fields = ["id"]

    var id: String
}

extension [RecordRoute] {
    static let boards = [
        RecordRoute(RecordKind(Board.self), path: "boards"),
        RecordRoute(
            RecordKind(Ticket.self, rules: RecordRules(order: { Int64($0.number) })), path: "tickets",
            batchMember: "tickets"),
    ]
}

extension RecordCatalog {
    static func boards() throws -> RecordCatalog {
        try RecordCatalog([RecordRoute].boards.map(\.kind))
    }
}
