import Foundation
import TrendyDomain

/// Lays local edits that are still on their way over the server's version of a record.
///
/// A field with a local edit keeps it, every other field takes the server's value. Where the server's
/// value of an edited field is neither what the edit began from nor what it leads to, both sides changed
/// the field: that is a conflict, and the server's value is the one that loses. A value that a later edit from here
/// leads to is no other side: the server has taken that edit already.
struct Rebase<Entity: SyncEntity> {
    struct FieldConflict: Equatable {
        var field: String
        var localValue: JSONValue
        var remoteValue: JSONValue
    }

    /// The record as it is to be shown here.
    private(set) var entity: Entity
    /// The edits, each with the server's values as its new base.
    private(set) var rebased: [PendingMutation] = []
    private(set) var conflicts: [FieldConflict] = []

    /// - Parameters:
    ///   - edits: The record's open mutations in the order of the queue. Creates count as part of the server's version,
    ///     deletes are left out of account.
    ///   - said: What the server was told from here, where its version may be the answer to that: it is no other side,
    ///     though the record may have lost it since, as a reference to what was deleted here.
    init(remote: Entity, edits: [PendingMutation], said: [[String: JSONValue]] = []) throws {
        entity = remote
        // One that cannot be read is parked, and must not stop what the server says.
        let updates = edits.filter { $0.operation == .update }.compactMap { mutation in
            (try? mutation.patch(of: Entity.self)).map { (mutation: mutation, patch: $0) }
        }
        guard !updates.isEmpty else { return }
        let remoteFields = try WireCoding.fields(of: remote)
        let ours = said + updates.map(\.patch.changes)
        var overlay = Patch<Entity>()
        for (mutation, patch) in updates {
            var base = try mutation.baseValues()
            for (field, local) in patch.changes.sorted(by: { $0.key < $1.key }) where overlay.changes[field] == nil {
                let theirs = remoteFields[field] ?? .null
                // The answer to an edit shows what the edit says: older entries of the feed still show its base.
                if mutation.state == .accepted, theirs == local { continue }
                let isOurs = ours.contains { $0[field] == theirs }
                if let began = base[field], theirs != began, !isOurs {
                    let stands = updates.last { $0.patch.changes[field] != nil }?.patch.changes[field] ?? local
                    conflicts.append(FieldConflict(field: field, localValue: stands, remoteValue: theirs))
                }
                base[field] = theirs
            }
            overlay = overlay.merging(patch)
            var moved = mutation
            moved.base = try encoded(base)
            if moved != mutation { rebased.append(moved) }
        }
        entity = try overlay.applied(to: remote)
    }
}

extension PendingMutation {
    /// The changed fields that an update carries.
    func patch<Entity: SyncEntity>(of type: Entity.Type) throws -> Patch<Entity> {
        try WireCoding.decode(Patch<Entity>.self, from: payload ?? Data("{}".utf8))
    }

    /// What the changed fields of an update held before.
    func baseValues() throws -> [String: JSONValue] {
        guard let base else { return [:] }
        return try WireCoding.decode([String: JSONValue].self, from: base)
    }
}

extension ServerFields {
    /// Whether the server has changed the record since the other version; false where the times are not told.
    func isNewer(than other: ServerFields) -> Bool {
        guard let own = updatedAt, let others = other.updatedAt else { return false }
        return own > others
    }
}
