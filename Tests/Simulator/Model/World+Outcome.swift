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
            // A deletion that was given up takes nothing back that had arrived before; nor does that of a parent,
            // which somebody may have saved the record from.
            case .merged(let into?) where try mayOutlive(mutation, into, store):
                let lives = try lives(of: mutation, store)
                return try effect(of: mutation, act, amid: lives, until: nextMaking(after: mutation, lives, act))
            // What was given up may have arrived all the same.
            case .accepted, .queued, .sending, .parked, .dropped:
                return try effect(of: mutation, act, amid: try lives(of: mutation, store))
            case .merged(let into?): next = into
            case .merged(nil):
                let survivor = mutation.operation == .create ? mutation.answer?.entityId : nil
                return survivor.map { .standsFor($0) } ?? .none
            }
        }
        return .none
    }

    /// What stands for a new record by now: its request had arrived, others had deleted what it made, and its device found
    /// one that is like it when it sent the request once more.
    func survivor(of act: Act) throws -> String? {
        guard let mutation = try devices[act.device].reader().findMutation(id: act.mutationId),
            mutation.operation == .create, mutation.state == .merged(into: nil)
        else { return nil }
        return mutation.answer.flatMap { $0.entityId == mutation.entityId ? nil : $0.entityId }
    }

    /// Whether what a creation has made may be there after the deletion that it went into.
    private func mayOutlive(
        _ mutation: PendingMutation, _ id: Int64, _ store: any DataStoreProtocol
    ) throws -> Bool {
        guard mutation.operation == .create, let other = try store.findMutation(id: id), other.operation == .delete
        else { return false }
        if other.entityId != mutation.entityId || other.state == .dropped { return true }
        // The deletion was of the id that was sent: what the server has the record under instead, it did not find.
        let id = mutation.entityId
        return server.effects.contains { effect in effect.landed[id].map { $0 != id } ?? false }
    }

    private func lives(of mutation: PendingMutation, _ store: any DataStoreProtocol) throws -> [PendingMutation] {
        try store.fetchMutations(
            MutationQuery(
                entityType: mutation.entityType, operations: [.create, .delete], entityId: mutation.entityId))
    }

    /// How many things people had done when somebody on this device made the record anew.
    private func nextMaking(after mutation: PendingMutation, _ lives: [PendingMutation], _ act: Act) -> Int? {
        let next = lives.first { $0.operation == .create && $0.id > mutation.id }
        return next.flatMap { next in acts.firstIndex { $0.device == act.device && $0.mutationId == next.id } }
    }

    /// - Parameters:
    ///   - lives: The creations and deletions of the record on the act's device, in their order.
    ///   - end: What left after so many acts cannot have come of a mutation that was given up before.
    private func effect(
        of mutation: PendingMutation, _ act: Act, amid lives: [PendingMutation], until end: Int? = nil
    ) throws -> ActOutcome {
        // What a deletion of the parent has swallowed never happened on its own.
        guard mutation.entityType == act.entityType else { return .none }
        let id = mutation.answer?.entityId ?? mutation.entityId
        let others = lives.filter { $0.operation == .create && $0.id != mutation.id }.map(\.clientRequestId)
        let own = server.effects.filter { effect in
            effect.device == act.device && effect.operation == mutation.operation && effect.actsBefore <= end ?? .max
                && !others.contains { $0 == effect.key }
                && (effect.ids.contains(id) || effect.landed[mutation.entityId] != nil)
        }
        var found = own.first { $0.key == mutation.clientRequestId }
        if found == nil, mutation.operation == .create { found = try making(mutation, act, among: own, amid: lives) }
        // What the server had done before the act cannot have come of it: a record that was to be made anew, and was
        // given up, has its first creation only; a sample that is logged again changes what was made before.
        if let early = found, early.sequence < act.serverHadDone {
            found = own.first { $0.sequence >= act.serverHadDone }
        }
        guard let found else { return .none }
        return .effective(sequence: found.sequence, id: found.landed[mutation.entityId] ?? id)
    }

    /// What made the record of a creation: creations travel in batches under other keys. A record that was made anew is
    /// made as often: each time by what left after it was asked for, and has not come of an earlier creation.
    ///
    /// One that was looked for, and found as an earlier creation has made it, did nothing: its values were listed as
    /// conflicts.
    private func making(
        _ mutation: PendingMutation, _ act: Act, among own: [ServerEffect], amid lives: [PendingMutation]
    ) throws -> ServerEffect? {
        let id = mutation.answer?.entityId ?? mutation.entityId
        // One that landed on another record is that one's change, not its making.
        let making =
            id == mutation.entityId
            ? own.filter { $0.made.contains(id) } : own.filter { $0.landed[mutation.entityId] == id }
        let begun = acts.firstIndex { $0.device == act.device && $0.mutationId == mutation.id } ?? -1
        let first = min(mutation.id, act.mutationId)
        let earlier = acts.filter { $0.makes(mutation.entityId, on: act.device) && $0.mutationId < first }
        let taken = try earlier.map { try sequence(of: $0) }
        // It has waited for the deletions before it. What was made before they came through is an earlier creation that
        // was sent once more, because the deletion of a parent had taken back what it made.
        let ends = lives.filter { $0.operation == .delete && $0.state == .accepted && $0.id < first }
        let ended = ends.compactMap { deletion in
            server.effects.first { $0.device == act.device && $0.key == deletion.clientRequestId }?.sequence
        }
        let last = ended.max() ?? -1
        let left = making.filter { effect in
            effect.actsBefore > begun && effect.sequence > last && !taken.contains(effect.sequence)
        }
        // Two creations may have gone into one; but what had left before the act has nothing of it.
        let done = acts.firstIndex { $0.device == act.device && $0.mutationId == act.mutationId } ?? -1
        return left.first ?? making.last { $0.actsBefore > done } ?? own.last { $0.actsBefore > done }
    }
}

extension Act {
    fileprivate func makes(_ id: String, on device: Int) -> Bool {
        if case .create = change { entityId == id && self.device == device } else { false }
    }
}
