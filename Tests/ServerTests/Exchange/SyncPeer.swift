import TrendyDomain
import TrendyServer
import TrendyTestSupport

extension ExchangePeer {
    /// A device that speaks with a server's core.
    convenience init(_ world: ServerWorld, as userId: String = "ann", named name: String = "a") {
        self.init(named: name) { try world.sync($0, for: userId) }
    }
}

extension ServerWorld {
    func sync(_ request: SyncRequest, for userId: String = "ann") throws -> SyncResponse {
        let prepared = try records.prepareSync(WireCoding.encode(request))
        return try WireCoding.decode(SyncResponse.self, from: records.sync(prepared, userId: userId))
    }

    func setHistory(_ change: (inout AccountHistory) -> Void) throws {
        try store.write { transaction throws in
            var history = try transaction.history(userId: "ann") ?? AccountHistory(epoch: "")
            change(&history)
            try transaction.save(history, userId: "ann")
        }
    }

    /// Drops all tombstones, as an operator may.
    func pruneTombstones() throws {
        let gone = try store.read { transaction in
            try transaction.changes(userId: "ann", after: 0, limit: .max, byteLimit: .max)
        }.filter { $0.document == nil }
        try store.write { try $0.deleteTombstones(Set(gone.map(\.key)), userId: "ann") }
        try setHistory { $0.horizon = gone.map(\.revision).max() ?? $0.horizon }
    }
}
