import GRDB
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

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

    func setHistory(_ change: @escaping @Sendable (inout AccountHistory) -> Void) throws {
        try store.write("ann") { transaction throws in
            var history = try transaction.history() ?? AccountHistory(epoch: "")
            change(&history)
            try transaction.save(history)
        }
    }

    /// Puts a history and its records back row by row. It is one of records without parents.
    func putBack(_ history: AccountHistory) throws {
        try setHistory { $0 = history }
        guard let store = store as? SQLiteServerStore else { return }
        try store.database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM record WHERE revision > \(history.head);
                    DELETE FROM record_reference; DELETE FROM outcome; DELETE FROM run
                    """)
        }
    }

    /// Drops all tombstones, as an operator may.
    func pruneTombstones() throws {
        let all = try store.read("ann") { try $0.changes(after: 0, upTo: .max, limit: .max, byteLimit: .max) }
        let last = all.last { $0.document == nil }?.revision
        try deleteTombstones()
        try setHistory { $0.horizon = last ?? $0.horizon }
    }

    func deleteTombstones() throws {
        guard let store = store as? SQLiteServerStore else { return }
        try store.database.write { try $0.execute(sql: "DELETE FROM record WHERE document IS NULL") }
    }
}
