import Foundation
import TrendyDomain

/// Applies entries of the feed in a unit of work that the caller saves.
///
/// What cannot be understood goes into quarantine as it came, and stops nothing else.
final class ChangeApplier {
    private let store: any DataStoreProtocol
    private let schema: EntitySchema
    private let applier: RemoteApplier
    private let quarantine: Quarantine

    init(cycle: SyncCycle, store: any DataStoreProtocol, quarantine: Quarantine) {
        self.store = store
        self.schema = cycle.schema
        self.applier = cycle.applier(on: store)
        self.quarantine = quarantine
    }

    /// Applies one entry. Answers whether anything here changed.
    func apply(_ entry: ChangeEntry) throws -> Bool {
        if let changed = try understand(entry) {
            try quarantine.dropOutdated(by: entry, in: store)
            return changed
        }
        return false
    }

    /// Notes an entry whose record is newer here. Answers whether anything here changed.
    ///
    /// What was sent from here has been heard of all the same, and hides nothing that follows. What went with a record
    /// that was deleted and has been made anew since goes: that is another record by the same id.
    func passOver(_ entry: ChangeEntry) throws -> Bool {
        try EchoWatch(store: store).saw(entry)
        guard entry.operation == .delete, let end = entry.deletedAt ?? entry.createdAt else { return false }
        return try applier.detachFormerChildren(of: RecordKey(entry), until: end)
    }

    /// Takes out the record of an entry that has gone with its parent since. Answers whether it was here.
    func takeOut(_ entry: ChangeEntry) throws -> Bool {
        try quarantine.dropOutdated(by: entry, in: store)
        guard let type = schema.type(for: entry.entityType) else { return false }
        try noteEditOfDeleted(type, entry)
        return try applier.delete(
            type, id: entry.entityId, cause: .cascaded(type.parents.first { $0.onDelete == .cascade }))
    }

    private func noteEditOfDeleted<Entity: SyncEntity>(_ type: Entity.Type, _ entry: ChangeEntry) throws {
        guard entry.operation != .delete, let remote = entry.usableRecord(type) else { return }
        try applier.noteEditOfDeleted(remote)
    }

    /// Whether the entry can be applied as it was read.
    func understands(_ entry: ChangeEntry) -> Bool {
        guard let type = schema.type(for: entry.entityType) else { return false }
        return entry.operation == .delete || entry.isUsable(as: type)
    }

    /// The versions and deletions in a stretch of the feed that a later version of the same record follows there, by
    /// their places.
    ///
    /// A listing that was made meanwhile may have shown any of them. The last one is what counts: those before it would
    /// take the record back, and look like somebody else's changes to edits that began from the listing.
    ///
    /// So does the deletion of a parent, for a record that waits for a decision since it went with that one.
    func superseded(in stretch: ChangeFeedResponse) throws -> Set<Int64> {
        var newest: [RecordKey: Int64] = [:]
        let versions = stretch.changes.filter { $0.hasPlace && $0.operation != .delete && understands($0) }
        for version in versions { newest[RecordKey(version)] = max(newest[RecordKey(version)] ?? 0, version.id) }
        let deletions = stretch.changes.filter { $0.hasPlace && $0.operation == .delete }
        var ended: [RecordKey: Int64] = [:]
        for deletion in deletions { ended[RecordKey(deletion)] = max(ended[RecordKey(deletion)] ?? 0, deletion.id) }
        let orphans = try versions.filter { version in
            try schema.requiredParents(of: version).contains { version.id < ended[$0] ?? 0 } && isKeptAside(version)
        }
        // A feed may say the same twice.
        return Set(((versions + deletions).filter { $0.id < newest[RecordKey($0)] ?? 0 } + orphans).map(\.id))
    }

    private func isKeptAside(_ entry: ChangeEntry) throws -> Bool {
        try store.openMutations(entry.entityType, entry.entityId).contains(where: \.isParkedAsDeletedElsewhere)
    }

    /// The entry as far as it can be relied upon: one that waits aside although its kind is known may have been
    /// garbled, and name another record when it is read again.
    func known(_ entry: ChangeEntry) throws -> ChangeEntry {
        guard schema.type(for: entry.entityType) != nil, try quarantine.holds(entry, in: store) else { return entry }
        var known = entry
        known.entityId = ""
        known.createdAt = nil
        return known
    }

    /// Whether the record here is at least as new as the entry shows it.
    func isOutdated(_ entry: ChangeEntry) throws -> Bool {
        guard let type = schema.type(for: entry.entityType) else { return false }
        return try isOutdated(type, entry)
    }

    private func isOutdated<Entity: SyncEntity>(_ type: Entity.Type, _ entry: ChangeEntry) throws -> Bool {
        guard let known = try store.find(type, id: entry.entityId)?.server.updatedAt else { return false }
        if entry.operation == .delete {
            // Only a record that was made again afterwards outlives its deletion.
            return (entry.deletedAt ?? entry.createdAt).map { known > $0 } ?? false
        }
        return updatedAt(entry).map { known >= $0 } ?? false
    }

    /// Whether the record of an entry is not here because its parent was deleted here: of one that a listing may have shown
    /// nobody can say that it is news.
    func wentWithParent(_ entry: ChangeEntry) throws -> Bool {
        guard entry.operation != .delete, let type = schema.type(for: entry.entityType) else { return false }
        return try wentWithParent(type, entry)
    }

    private func wentWithParent<Entity: SyncEntity>(_ type: Entity.Type, _ entry: ChangeEntry) throws -> Bool {
        guard try store.find(type, id: entry.entityId) == nil, let remote = entry.usableRecord(type)
        else { return false }
        return try applier.requiredParents(of: remote.entity).contains(where: applier.isDeletedHere)
    }

    private func updatedAt(_ entry: ChangeEntry) -> Timestamp? {
        let name = ServerFields.CodingKeys.updatedAt.rawValue
        return entry.data?.objectValue?[name]?.stringValue.flatMap(Timestamp.init)
    }

    /// Tries what was put aside once more, in the order of the feed.
    func retryQuarantined() throws -> Int {
        var changes = 0
        for held in try quarantine.all(in: store) {
            guard let type = schema.type(for: held.entry.entityType) else { continue }
            do {
                if try !isOvertaken(type, held.entry), try attempt(type, held.entry) { changes += 1 }
                try quarantine.remove(held, in: store)
            } catch is UnusableEntry {
                continue
            }
        }
        return changes
    }

    /// Whether the record here is newer than an entry that waited aside shows it.
    private func isOvertaken<Entity: SyncEntity>(_ type: Entity.Type, _ entry: ChangeEntry) throws -> Bool {
        guard entry.operation != .delete, let shown = updatedAt(entry),
            let known = try store.find(type, id: entry.entityId)?.server.updatedAt
        else { return false }
        return known > shown
    }

    /// Nil where the entry went into quarantine.
    private func understand(_ entry: ChangeEntry) throws -> Bool? {
        guard let type = schema.type(for: entry.entityType) else {
            let name = entry.entityType.rawValue
            return try putAside(entry, name.isEmpty ? "it is malformed" : "the kind '\(name)' is not known here")
        }
        do {
            return try attempt(type, entry)
        } catch let error as UnusableEntry {
            return try putAside(entry, error.reason)
        }
    }

    private func attempt<Entity: SyncEntity>(_ type: Entity.Type, _ entry: ChangeEntry) throws -> Bool {
        switch entry.operation {
        case .delete:
            if try EchoWatch(store: store).isOvertakenHere(entry) { return try passOver(entry) }
            try EchoWatch(store: store).saw(entry)
            return try applier.delete(type, id: entry.entityId, at: entry.deletedAt ?? entry.createdAt)
        case .create, .update:
            if try isKnown(type, entry) { return false }
            let remote = try entry.record(type)
            if try isOfFormerLife(remote) { return try passOver(entry) }
            try EchoWatch(store: store).saw(entry)
            return try applier.upsert(remote)
        default:
            throw UnusableEntry(reason: "the operation '\(entry.operation)' is not known here")
        }
    }

    /// Whether the version is of the predecessor of a record that waits here to be made anew.
    private func isOfFormerLife<Entity: SyncEntity>(_ remote: Remote<Entity>) throws -> Bool {
        // What waits to be made is here, and is not synced: for most records that is all there is to ask.
        guard let record = try store.find(Entity.self, id: remote.id), record.syncStatus != .synced
        else { return false }
        return try EchoWatch(store: store).isBeforeRebirth(remote)
    }

    /// Whether the record here is just the one that the entry shows: mostly the echo of what was sent from here.
    private func isKnown<Entity: SyncEntity>(_ type: Entity.Type, _ entry: ChangeEntry) throws -> Bool {
        guard let shown = updatedAt(entry),
            let record = try store.find(type, id: entry.entityId), record.syncStatus == .synced,
            record.server.updatedAt == shown
        else { return false }
        // The time alone proves nothing: a server's clock may stand still for two changes.
        guard let remote = try? entry.record(type) else { return false }
        guard remote.entity == record.entity else { return false }
        try EchoWatch(store: store).saw(entry)
        return true
    }

    private func putAside(_ entry: ChangeEntry, _ reason: String) throws -> Bool? {
        try quarantine.put(entry, reason: reason, in: store)
        return nil
    }
}

extension ChangeEntry {
    /// Whether it shows a record of the kind that can be used.
    func isUsable<Entity: SyncEntity>(as type: Entity.Type) -> Bool { usableRecord(type) != nil }

    /// The record that it shows; nil where that cannot be used.
    func usableRecord<Entity: SyncEntity>(_ type: Entity.Type) -> Remote<Entity>? { try? record(type) }

    fileprivate func record<Entity: SyncEntity>(_ type: Entity.Type) throws -> Remote<Entity> {
        guard let data else { throw UnusableEntry(reason: "it has no data") }
        let remote: Remote<Entity>
        do {
            remote = try WireCoding.decode(Remote<Entity>.self, from: encoded(data))
        } catch {
            throw UnusableEntry(reason: "its data is no \(Entity.entityType.displayName): \(inWords(error))")
        }
        do { try remote.entity.validateReceived() } catch { throw UnusableEntry(reason: "\(error)") }
        guard remote.id == entityId else { throw UnusableEntry(reason: "its data has another id") }
        return remote
    }
}

/// Says why an entry of the feed cannot be applied.
private struct UnusableEntry: Error {
    var reason: String
}
