import Foundation
import TrendyDomain

/// Open edits that move records of the server away from a record that is deleted after them.
///
/// The server takes along with a deletion what it still has beneath the deleted record. So the deletion goes only when the
/// server has taken these edits, or a person has given them up. A create that may have arrived counts as such an edit, where
/// the server shows its record beneath another parent.
struct DepartingChildren {
    /// An edit that moves a record away from another one.
    struct Edit {
        var id: Int64
        var isParked: Bool
        /// The record that it moves that away from, and the one that it moves that to.
        var (parent, target): (RecordKey, RecordKey)
    }

    let replica: Replica
    private var known: [Edit] = []
    /// Edits up to this one are known.
    private var end: Int64 = 0
    private static let page = 1_000

    init(replica: Replica) { self.replica = replica }

    /// The edits for which a deletion has to wait. Deletions are asked about in the order of the outbox.
    mutating func edits(before deletion: PendingMutation) throws -> [Edit] {
        let deleted = deletion.recordKey
        guard replica.schema.children(of: deleted.entityType).contains(where: { $0.reference.onDelete == .cascade })
        else { return [] }
        try look(before: deletion.id)
        return try known.filter { try $0.id < deletion.id && isDeleted($0.parent, with: deleted) }
    }

    /// Whether a record goes with another one.
    private func isDeleted(_ key: RecordKey, with deleted: RecordKey) throws -> Bool {
        if key == deleted { return true }
        guard let type = replica.schema.type(for: key.entityType),
            type.parents.contains(where: { $0.onDelete == .cascade })
        else { return false }
        let document = try replica.load(type, key.id).record.base.document ?? [:]
        return try replica.isOne(key, document, orBelongsToOne: { $0 == deleted })
    }

    private mutating func look(before last: Int64) throws {
        if end == 0 {
            let creates = MutationQuery(states: [.sending, .parked], operations: [.create])
            known = try edits(replica.store.fetchMutations(creates).filter(\.isUnanswered))
        }
        while end < last {
            let open = MutationQuery(
                states: [.queued, .sending, .parked], operations: [.update], afterId: end, limit: Self.page)
            let page = try replica.store.fetchMutations(open)
            known += try edits(page)
            end = page.count < Self.page ? .max : page.last?.id ?? .max
        }
    }

    private func edits(_ mutations: [PendingMutation]) throws -> [Edit] {
        try Dictionary(grouping: mutations, by: \.entityType).flatMap { kind, mutations in
            try replica.schema.type(for: kind).map { try edits(mutations, $0) } ?? []
        }
    }

    private func edits(_ mutations: [PendingMutation], _ type: any SyncEntity.Type) throws -> [Edit] {
        let references = type.parents.filter { $0.onDelete == .cascade }
        let names = references.map { Data("\"\($0.field)\"".utf8) }
        let moves = mutations.filter { move in names.contains { move.payload?.firstRange(of: $0) != nil } }
        if moves.isEmpty { return [] }
        let ids = Array(Set(moves.map(\.entityId)))
        let bases = try replica.store.bases(type.entityType, ids: ids)
        // What a person has deleted too needs no other parent.
        let shown = try replica.store.standings(type.entityType, ids: ids)
        return try moves.flatMap { mutation -> [Edit] in
            guard let base = bases[mutation.entityId], !base.isDeleted, shown[mutation.entityId] != nil,
                let payload = mutation.payload
            else { return [] }
            let patch = try WireCoding.decode(RecordDocument.self, from: payload)
            return references.compactMap { reference in
                guard let target = patch[reference.field]?.stringValue,
                    let parent = base.document?[reference.field]?.stringValue, target != parent
                else { return nil }
                return Edit(
                    id: mutation.id, isParked: mutation.state.name == .parked,
                    parent: RecordKey(reference.entityType, parent), target: RecordKey(reference.entityType, target))
            }
        }
    }
}
