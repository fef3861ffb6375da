import TrendyDomain

/// Lists what could not stand on both sides, for the person to decide.
struct ConflictList {
    let replica: Replica

    /// Lists conflicts. What others have edited of a record that was deleted here takes the place of what they had edited of it
    /// before, in the same history of the server.
    ///
    /// - Parameters:
    ///   - theirs: What the server says of its version.
    ///   - history: The epoch of the server's history; nil for the stored one.
    func add(
        _ conflicts: [MergeConflict], of key: RecordKey, theirs: JSONValue? = nil, in history: String? = nil
    ) throws {
        let server = theirs.flatMap { try? WireCoding.value(ServerFields.self, from: $0.objectValue ?? [:]) }
        for conflict in conflicts {
            var id = replica.identifiers.makeId()
            if case .editedElsewhere = conflict { id = try self.id(ofEdited: key, server, in: history) }
            var listed = SyncConflict(
                id: id, kind: .field, entityType: key.entityType, entityId: key.id, localValue: .null,
                remoteValue: .null, detectedAt: replica.wallClock.now())
            listed.remoteServer = server
            switch conflict {
            case .value(let path, let ours, let theirs, _):
                (listed.field, listed.key) = (path.field, path.key)
                (listed.localValue, listed.remoteValue) = (ours, theirs)
            case .deletedElsewhere(let ours):
                listed.kind = .editedHereDeletedElsewhere
                listed.localValue = .object(ours)
            case .editedElsewhere(let theirs):
                listed.kind = .deletedHereEditedElsewhere
                listed.remoteValue = .object(theirs)
            }
            try replica.store.putDocument(listed)
        }
    }

    /// The id of the entry for others' edits of a deleted record. Each life of a record has its own entry, because a record
    /// that was made anew has nothing to do with the former edits.
    private func id(ofEdited key: RecordKey, _ server: ServerFields?, in history: String? = nil) throws -> String {
        let history = try history ?? replica.store.exchangePlace().epoch ?? ""
        let life = "\(key.entityType)-\(history)-\(server?.createdAt?.milliseconds ?? 0)-\(key.id)"
        // People name an entry by its end, so that has to be its own.
        let digits = String(shortHash(life), radix: 16)
        return "\(key.id)-\(String(repeating: "0", count: 8 - digits.count))\(digits)"
    }

    /// Removes the entry of a record that was edited here and deleted elsewhere. The person has decided about it.
    func removeDeletion(of key: RecordKey) throws {
        for conflict in try replica.store.fetchDocuments(SyncConflict.self)
        where conflict.kind == .editedHereDeletedElsewhere && conflict.entityType == key.entityType
            && conflict.entityId == key.id
        {
            try replica.store.deleteDocument(SyncConflict.self, id: conflict.id)
        }
    }

    /// Removes two entries of each record that ``LostMoves`` shows again: that the server has lost its parent, and that the
    /// record was deleted here and edited elsewhere. Both were listed while a page of another history was applied.
    ///
    /// - Parameter values: Where they are, by the fields that refer to parents.
    func removeMoved(_ values: [RecordKey: [FieldPath: JSONValue]]) throws {
        for conflict in try replica.store.fetchDocuments(SyncConflict.self) {
            let key = RecordKey(conflict.entityType, conflict.entityId)
            guard let values = values[key] else { continue }
            let isShown = conflict.isLostByServer == true && conflict.place.map { values[$0] } == conflict.remoteValue
            let isOfServer =
                try conflict.kind == .deletedHereEditedElsewhere
                && conflict.id == id(ofEdited: key, conflict.remoteServer)
            if isShown || isOfServer { try replica.store.deleteDocument(SyncConflict.self, id: conflict.id) }
        }
    }

    /// Removes what was listed of records that were deleted here, because a deletion was taken back: the server's version stands
    /// again, with all that others have edited. What was listed in another history of the server may be missing there now, and
    /// is listed as lost.
    ///
    /// - Parameter deleted: The record whose deletion was taken back. Others went with it.
    func removeUndone(with deleted: RecordKey) throws {
        if try replica.store.countDocuments(SyncConflict.self) == 0 { return }
        for conflict in try replica.store.fetchDocuments(SyncConflict.self)
        where conflict.kind == .deletedHereEditedElsewhere {
            guard let type = replica.schema.type(for: conflict.entityType) else { continue }
            let copy = try replica.load(type, conflict.entityId)
            guard copy.status != nil, case .document(let there, _) = copy.record.base,
                copy.record.operations.isEmpty,
                try replica.isOne(copy.key, there, orBelongsToOne: { $0 == deleted })
            else { continue }
            try replica.store.deleteDocument(SyncConflict.self, id: conflict.id)
            if try conflict.id == id(ofEdited: copy.key, conflict.remoteServer) { continue }
            let listed = conflict.remoteValue.objectValue ?? [:]
            let lost = FieldPatch(from: there, to: listed, shape: copy.record.shape).values.filter { $0.value != .null }
            try add(lostByServer: lost, standing: there, of: copy.key)
        }
    }

    /// Takes values off the list that the server had lost and has again.
    ///
    /// - Parameter records: Versions of the server.
    func removeRegained<Entity: SyncEntity>(in records: [LocalRecord<Entity>]) throws {
        if try replica.store.countDocuments(SyncConflict.self) == 0 { return }
        let listed = try replica.store.fetchDocuments(SyncConflict.self)
            .filter { $0.isLostByServer == true && $0.entityType == Entity.entityType }
        let lost = Dictionary(grouping: listed, by: \.entityId)
        for record in records {
            guard let lost = lost[record.id] else { continue }
            let there = try record.document
            for value in lost where value.place.map({ there[$0] }) == value.remoteValue {
                try replica.store.deleteDocument(SyncConflict.self, id: value.id)
            }
        }
    }

    /// Lists the values of a record that the server had and has lost.
    func add(lostByServer values: [FieldPath: JSONValue], standing: RecordDocument, of key: RecordKey) throws {
        for (path, value) in values.sorted(by: { $0.key < $1.key }) {
            try replica.store.putDocument(
                SyncConflict(
                    id: replica.identifiers.makeId(), kind: .field, entityType: key.entityType, entityId: key.id,
                    field: path.field, key: path.key, localValue: standing[path], remoteValue: value,
                    losingSide: .here, isLostByServer: true, detectedAt: replica.wallClock.now()))
        }
    }

    /// Names another record in place of one that turned out to be the same. What was listed only because the two had
    /// different ids is no conflict any more.
    ///
    /// - Parameter field: The field of a kind by which its records refer to the two.
    func join(_ former: String, with id: String, in field: String, of type: EntityType) throws {
        for conflict in try replica.store.fetchDocuments(SyncConflict.self) where conflict.entityType == type {
            var joined = conflict
            if conflict.kind == .field {
                guard conflict.field == field else { continue }
                if joined.localValue == .string(former) { joined.localValue = .string(id) }
                if joined.remoteValue == .string(former) { joined.remoteValue = .string(id) }
            } else {
                joined.localValue = Self.replacing(former, with: id, in: field, of: joined.localValue)
                joined.remoteValue = Self.replacing(former, with: id, in: field, of: joined.remoteValue)
            }
            if joined == conflict { continue }
            if conflict.kind == .field, joined.localValue == joined.remoteValue {
                try replica.store.deleteDocument(SyncConflict.self, id: conflict.id)
            } else {
                try replica.store.putDocument(joined)
            }
        }
    }

    private static func replacing(
        _ former: String, with id: String, in field: String, of version: JSONValue
    ) -> JSONValue {
        guard var fields = version.objectValue, fields[field] == .string(former) else { return version }
        fields[field] = .string(id)
        return .object(fields)
    }

    /// Lists the values of a record made here that were lost, because the server has that record under another id.
    func add(lost ours: RecordDocument, to theirs: RecordDocument, _ shape: RecordShape, of key: RecordKey) throws {
        for path in shape.paths(of: ours).sorted() where ours[path] != theirs[path] {
            try replica.store.putDocument(
                SyncConflict(
                    id: replica.identifiers.makeId(), kind: .field, entityType: key.entityType, entityId: key.id,
                    field: path.field, key: path.key, localValue: theirs[path], remoteValue: ours[path],
                    losingSide: .here, detectedAt: replica.wallClock.now()))
        }
    }
}
