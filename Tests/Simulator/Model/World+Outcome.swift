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
    func sequence(of act: Act, _ index: Int) throws -> Int? {
        if case .effective(let sequence, _) = try outcome(of: act, index) { sequence } else { nil }
    }

    /// Follows an act through its device's ledger to what the server did.
    ///
    /// - Parameter index: Which of all acts it is.
    func outcome(of act: Act, _ index: Int) throws -> ActOutcome {
        let store = try devices[act.device].reader()
        var next: Int64? = act.mutationId == 0 ? nil : act.mutationId
        var seen: Set<Int64> = []
        while let id = next, seen.insert(id).inserted {
            let name = MutationName(device: act.device, id: id)
            // A request that arrived took effect, whatever the ledger made of it afterwards. What had left before is
            // without the act.
            if let effect = server.effects(of: name).first(where: { $0.actsBefore > index }) {
                if effect.operation == .delete, !act.isDelete { return .none }
                return .effective(sequence: effect.sequence, id: effect.landed)
            }
            if let twin = twins[name] { return act.isCreate ? .standsFor(twin) : .none }
            guard case .merged(let into?)? = try store.findMutation(id: id)?.state else { return .none }
            next = into
        }
        return .none
    }

    /// The deletion that a device sent by itself of a record that was deleted there before it had arrived.
    func deletionAgain(of act: Act, _ index: Int) -> ServerEffect? {
        guard act.isDelete else { return nil }
        return server.effects.first { effect in
            effect.operation == .delete && effect.device == act.device && effect.landed == act.entityId
                && effect.actsBefore > index
                && !acts.contains { $0.device == act.device && $0.mutationId == effect.sent.mutation }
        }
    }

    /// What the server did with a mutation of a device, and with those that it was merged into.
    func effects(ofMutation id: Int64, on device: Int) -> [ServerEffect] {
        var (next, ids): (Int64?, [Int64]) = (id, [])
        while let id = next, !ids.contains(id) {
            ids.append(id)
            let state = try? devices[device].reader().findMutation(id: id)?.state
            next = if case .merged(let into?) = state { into } else { nil }
        }
        return ids.flatMap { server.effects(of: MutationName(device: device, id: $0)) }
    }
}
