import TrendyDomain
import TrendySync

/// A record of somebody else's.
struct Note: SyncEntity {
    static let entityType: EntityType = "note"
    static let fields = ["id", "text"]
    var id: String
    var text: String
}

let schema = try EntitySchema([Note.self])
print("\(SyncEngine.self) syncs \(schema.types.map { $0.entityType })")
