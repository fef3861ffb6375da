import TrendyDomain

/// Open edits that move records of the server away from a record that is deleted after them.
///
/// The server takes along with a deletion what it still has beneath the deleted record. So the deletion goes only when the
/// server has taken these edits, or a person has given them up.
struct DepartingChildren {
    let replica: Replica
    private var known: [Departure]?

    private struct Departure {
        /// The edit.
        var id: Int64
        /// The record that it moves another one away from.
        var parent: RecordKey
        /// The id of the record that it moves that to.
        var target: String?
    }

    init(replica: Replica) { self.replica = replica }

    /// The edits for which a deletion has to wait.
    ///
    /// - Parameter target: The id of a record. Only edits that move something to that are looked for; all, if it is nil.
    mutating func edits(before deletion: PendingMutation, to target: String? = nil) throws -> Set<Int64> {
        let deleted = deletion.recordKey
        guard replica.schema.children(of: deleted.entityType).contains(where: { $0.reference.onDelete == .cascade })
        else { return [] }
        let departures = try known ?? departures()
        known = departures
        return try departures.reduce(into: []) { edits, departure in
            let (parent, id) = (departure.parent, departure.id)
            guard id < deletion.id, target == nil || departure.target == target,
                let type = replica.schema.type(for: parent.entityType)
            else { return }
            let document = try parent == deleted ? [:] : replica.load(type, parent.id).record.base.document ?? [:]
            if try replica.isOne(parent, document, orBelongsToOne: { $0 == deleted }) { edits.insert(id) }
        }
    }

    private func departures() throws -> [Departure] {
        try replica.schema.types.flatMap { type in
            let fields = type.parents.filter { $0.onDelete == .cascade }
            if fields.isEmpty { return [Departure]() }
            let open = MutationQuery(
                states: [.queued, .sending, .parked], entityType: type.entityType, operations: [.update])
            let moves = try replica.store.fetchMutations(open).compactMap {
                mutation -> (PendingMutation, RecordDocument)? in
                guard let payload = mutation.payload else { return nil }
                let patch = try WireCoding.decode(RecordDocument.self, from: payload)
                return fields.contains { patch[$0.field] != nil } ? (mutation, patch) : nil
            }
            let bases = try replica.store.bases(type.entityType, ids: Array(Set(moves.map(\.0.entityId))))
            return moves.flatMap { mutation, patch in
                fields.compactMap { reference in
                    guard let base = bases[mutation.entityId], !base.isDeleted, let value = patch[reference.field],
                        let there = base.document?[reference.field]?.stringValue, value != .string(there)
                    else { return nil }
                    return Departure(
                        id: mutation.id, parent: RecordKey(reference.entityType, there), target: value.stringValue)
                }
            }
        }
    }
}
