import TrendyData
import TrendyDomain
import TrendySync

struct Quote: SyncEntity {
    static let entityType: EntityType = "quote"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    static let parents = [
        ParentReference(field: "book_id", entityType: Book.entityType, onDelete: .cascade),
        ParentReference(field: "found_in_id", entityType: Book.entityType, onDelete: .clear),
    ]
    var id: String
    var bookId: String
    var foundInId: String?
    var text: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, text
        case bookId = "book_id"
        case foundInId = "found_in_id"
    }
}

extension EntitySchema {
    static var library: EntitySchema { get throws { try EntitySchema([Quote.self, Book.self]) } }
}

extension StoreMigration {
    static let quotes = StoreMigration("quote-1") {
        try $0.createTable(
            for: Quote.self, [.text("book_id"), .text("found_in_id"), .text("text")],
            indexes: [["book_id"], ["found_in_id"]])
    }
}

extension RecordRoutes {
    static let quotes = RecordRoutes(
        path: "/quotes",
        nesting: Nesting(parent: Book.entityType, field: "book_id", path: "/books/{parent}/quotes"))
}
