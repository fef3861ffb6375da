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

    /// Counts the failures of a push. Answers the records of what it parked.
    func judge(_ blamed: [(PendingMutation, String)]) throws -> Set<RecordKey> {
        if blamed.isEmpty { return [] }
        return try cycle.write { store in
            var parked: Set<RecordKey> = []
            let known = try store.fetchDocuments(Blame.self)
            for (mutation, message) in blamed {
                let id = Blame.id(of: mutation)
                let cycles = 1 + (known.first { $0.id == id }?.cycles ?? 0)
                if cycles < cycle.configuration.blameLimit {
                    try store.putDocument(Blame(id: id, cycles: cycles))
                } else if let type = cycle.schema.type(for: mutation.entityType),
                    let present = try store.findMutation(id: mutation.id), present.state.isUnsent
                {
                    let reason = ParkReason(code: .blamed, message: message)
                    try cycle.settler(on: store).park(present, reason, type: type)
                    parked.insert(RecordKey(present))
                }
            }
            return parked
        }
    }
}
