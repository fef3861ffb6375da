import TrendyDomain

/// What came of something that a person did.
enum ActOutcome {
    /// The server carried it out, as the so-many-th thing that it did, on the record of that id.
    case effective(sequence: Int, id: String)
    /// The server had the same thing already, under that id.
    case standsFor(String)
    /// It was undone before it was sent, given up, or pointless.
    case none
}

extension World {
    /// The place of an act among all that the server did; nil where it had no effect.
    func sequence(of act: Act) throws -> Int? {
        if case .effective(let sequence, _) = try outcome(of: act) { sequence } else { nil }
    }

    /// Follows an act through its device's ledger to what the server did.
    func outcome(of act: Act) throws -> ActOutcome {
        let store = try devices[act.device].reader()
        var next: Int64? = act.mutationId
        var seen: Set<Int64> = []
        while let id = next, seen.insert(id).inserted, let mutation = try store.findMutation(id: id) {
            // A request that arrived took effect, whatever the ledger made of it afterwards.
            if let own = server.effects.first(where: { $0.device == act.device && $0.key == mutation.clientRequestId })
            {
                return .effective(sequence: own.sequence, id: own.landed[mutation.entityId] ?? mutation.entityId)
            }
            switch mutation.state {
            // What was given up may have arrived all the same.
            case .accepted, .queued, .sending, .parked, .dropped:
                let others = MutationQuery(
                    entityType: mutation.entityType, operations: [.create], entityId: mutation.entityId)
                let keys = try store.fetchMutations(others).filter { $0.id != mutation.id }.map(\.clientRequestId)
                return effect(of: mutation, act, besides: Set(keys))
            case .merged(let into?): next = into
            case .merged(nil):
                let survivor = mutation.operation == .create ? mutation.answer?.entityId : nil
                return survivor.map { .standsFor($0) } ?? .none
            }
        }
        return .none
    }

    /// - Parameter others: The keys of other creations of the record.
    private func effect(of mutation: PendingMutation, _ act: Act, besides others: Set<String>) -> ActOutcome {
        // What a deletion of the parent has swallowed never happened on its own.
        guard mutation.entityType == act.entityType else { return .none }
        let id = mutation.answer?.entityId ?? mutation.entityId
        let own = server.effects.filter { effect in
            effect.device == act.device && effect.operation == mutation.operation
                && !(effect.key.map(others.contains) ?? false)
                && (effect.ids.contains(id) || effect.landed[mutation.entityId] != nil)
        }
        var found = own.first { $0.key == mutation.clientRequestId }
        if found == nil, mutation.operation == .create {
            // Creates travel in batches under other keys. A record that was made anew is made as often.
            // One that landed on another record is that one's change, not its making.
            let making =
                id == mutation.entityId
                ? own.filter { $0.made.contains(id) } : own.filter { $0.landed[mutation.entityId] == id }
            let earlier = acts.filter { other in
                if case .create = other.change {
                    other.entityId == act.entityId && other.device == act.device && other.mutationId < mutation.id
                } else {
                    false
                }
            }
            found = making.isEmpty ? own.last : making[min(earlier.count, making.count - 1)]
        }
        // What the server had done before the act cannot have come of it: a record that was to be made anew, and was
        // given up, has its first creation only; a sample that is logged again changes what was made before.
        if let early = found, early.sequence < act.serverHadDone {
            found = own.first { $0.sequence >= act.serverHadDone }
        }
        guard let found else { return .none }
        return .effective(sequence: found.sequence, id: found.landed[mutation.entityId] ?? id)
    }
}
