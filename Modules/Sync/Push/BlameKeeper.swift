import TrendyDomain

/// In how many cycles the server failed on one mutation while it took others.
struct Blame: StoredDocument {
    static let collection = "blame"

    var id: String
    var cycles: Int

    static func id(of mutation: PendingMutation) -> String { String(mutation.id) }
}

/// Parks a mutation on which the server fails again and again, though it is well enough for everything else.
struct BlameKeeper {
    let cycle: SyncCycle

    /// Whether a failure speaks against a mutation that was sent alone.
    ///
    /// It does where the server took others beside it in an earlier cycle, and where the answer is about what was
    /// sent.
    func speaksAgainst(_ mutation: PendingMutation, _ refusal: Refusal) throws -> Bool {
        if refusal.saysUnwell { return false }
        let known = try cycle.read { try $0.fetchDocuments(Blame.self) }
        return known.contains { $0.id == Blame.id(of: mutation) }
    }

    /// Counts the failures of a push. Answers the records of what it parked.
    func judge(_ blamed: [(mutation: PendingMutation, refusal: Refusal)]) throws -> Set<RecordKey> {
        if blamed.isEmpty { return [] }
        return try cycle.write { store in
            var parked: Set<RecordKey> = []
            let known = try store.fetchDocuments(Blame.self)
            for (mutation, refusal) in blamed {
                let id = Blame.id(of: mutation)
                let cycles = 1 + (known.first { $0.id == id }?.cycles ?? 0)
                if cycles < cycle.configuration.blameLimit {
                    try store.putDocument(Blame(id: id, cycles: cycles))
                } else if let type = cycle.schema.type(for: mutation.entityType),
                    let present = try store.findMutation(id: mutation.id), present.state.isUnsent
                {
                    let reason = ParkReason(code: .blamed, message: refusal.message)
                    try cycle.settler(on: store).park(present, reason, type: type)
                    parked.insert(RecordKey(present))
                }
            }
            return parked
        }
    }
}
