import TrendyDomain

/// The server's version of a record that it shows beneath a parent deleted here, while changes of the record wait for
/// the person.
///
/// It can be shown once the deletion of the parent is taken back, and goes with the parent otherwise. So each pull
/// tries it anew.
struct WaitingVersion: StoredDocument {
    static let collection = "waiting_versions"

    let id: String
    let entityType: EntityType
    let entityId: String
    /// The record and what the server keeps of it.
    let version: JSONValue

    init<Entity: SyncEntity>(_ remote: Remote<Entity>) throws {
        id = Self.id(Entity.entityType, remote.id)
        entityType = Entity.entityType
        entityId = remote.id
        version = try WireCoding.decode(JSONValue.self, from: encoded(remote))
    }

    /// A record has one at most: the newest that was shown.
    static func id(_ entityType: EntityType, _ entityId: String) -> String { "\(entityType)-\(entityId)" }
}

extension RemoteApplier {
    /// Tries the versions that wait for what becomes of a parent. Answers how many changed something here.
    func retryWaitingVersions() throws -> Int {
        var changes = 0
        for waiting in try store.fetchDocuments(WaitingVersion.self) {
            guard let type = schema.type(for: waiting.entityType) else { continue }
            // One that has to wait on is put aside under the same id.
            try store.deleteDocument(WaitingVersion.self, id: waiting.id)
            if try retry(waiting, of: type) { changes += 1 }
        }
        return changes
    }

    private func retry<Entity: SyncEntity>(_ waiting: WaitingVersion, of type: Entity.Type) throws -> Bool {
        let remote = try WireCoding.decode(Remote<Entity>.self, from: encoded(waiting.version))
        if let known = try store.find(type, id: remote.id)?.server, known.isNewer(than: remote.server) { return false }
        return try upsert(remote)
    }
}
