import TrendyDomain

/// What becomes of a record that goes on under another id.
extension Replica {
    /// How many former ids are kept. If there are more, the oldest ones are deleted. The ids of kinds with children, such as
    /// event types, are always kept.
    static let formerIdLimit = 2_000

    /// Gives a record another id. Children and conflicts name the record by that id then, and the former id is remembered.
    ///
    /// - Parameter isMerged: Whether another device had made the same record under that id.
    func rename(_ former: LocalCopy, to id: String, isMerged: Bool) throws {
        try moveChildren(of: former, to: id)
        try ConflictList(replica: self).rename(former.key, to: id)
        // An id that is in use again leads nowhere else. So the changes of ids make no ring.
        try store.deleteDocument(FormerId.self, id: FormerId.id(of: RecordKey(former.key.entityType, id)))
        try store.putDocument(FormerId(former.key, presentId: id, isMerged: isMerged, since: wallClock.now()))
        try forgetFormerIds()
    }

    /// Forgets what some former ids led to, because records with these ids are put in again.
    func takeUp(_ ids: [String], _ entityType: EntityType) throws {
        if try store.countDocuments(FormerId.self) == 0 { return }
        for id in ids { try store.deleteDocument(FormerId.self, id: FormerId.id(of: RecordKey(entityType, id))) }
    }

    /// Several at once, because all are read for that.
    private func forgetFormerIds() throws {
        guard try store.countDocuments(FormerId.self) > Self.formerIdLimit else { return }
        let childless = try store.fetchDocuments(FormerId.self)
            .filter { schema.children(of: $0.entityType).isEmpty }
            .sorted { ($0.since, $0.id) < ($1.since, $1.id) }
        for old in childless.prefix(Self.formerIdLimit / 10) { try store.deleteDocument(FormerId.self, id: old.id) }
    }
}

extension ConflictList {
    /// Names a record by the id under which it goes on.
    fileprivate func rename(_ former: RecordKey, to id: String) throws {
        for conflict in try replica.store.fetchDocuments(SyncConflict.self)
        where conflict.entityType == former.entityType && conflict.entityId == former.id {
            var renamed = conflict
            renamed.entityId = id
            if conflict.kind != .field {
                renamed.localValue = Self.version(conflict.localValue, named: id)
                renamed.remoteValue = Self.version(conflict.remoteValue, named: id)
            }
            try replica.store.putDocument(renamed)
        }
    }

    private static func version(_ version: JSONValue, named id: String) -> JSONValue {
        guard var fields = version.objectValue, fields.keys.contains("id") else { return version }
        fields["id"] = .string(id)
        return .object(fields)
    }
}
