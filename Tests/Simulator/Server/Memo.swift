import TrendyData
import TrendyDomain
import TrendyServer

/// A kind of record that came with a later version: devices that have not been upgraded do not know it.
struct Memo: SyncEntity {
    static let entityType: EntityType = "memo"
    static let fields = CodingKeys.allCases.map(\.stringValue)

    var id: String
    var text: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, text
    }

    static let migration = StoreMigration("memo-1") { try $0.createTable(for: Memo.self, [.text("text")]) }
    static let clientRoutes = RecordRoutes(path: "/memos")
    static let serverRoute = RecordRoute(RecordKind(Memo.self), path: "memos")
}
