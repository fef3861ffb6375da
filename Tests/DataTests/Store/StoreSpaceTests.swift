import Foundation
import GRDB
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// What a large push leaves on the disk.
@Suite("Space for what was sent")
struct StoreSpaceTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private func pragma(_ name: String) throws -> Int {
        try DatabaseQueue(path: store.factory.path).read { try Int.fetchOne($0, sql: "PRAGMA \(name)") ?? 0 }
    }

    @Test("the newest accepted mutations are kept, without payloads, and the file is shortened")
    func push() throws {
        let count = MutationQuery.keptAccepted + 1_000
        try store.saving { store in
            try store.insertMutations(
                (0..<count).map { number in
                    PendingMutation(
                        clientRequestId: "k\(number)", entityType: .event, operation: .create, entityId: "e\(number)",
                        payload: Data(count: 300), createdAt: Timestamp(milliseconds: 0))
                })
        }
        let full = try pragma("page_count")
        let ids = try store.factory.makeDataStore().fetchMutations(.unsent).map(\.id)
        for (batch, start) in stride(from: 0, to: count, by: 1_000).enumerated() {
            try store.saving { store in
                let batchIds = Array(ids[start..<min(count, start + 1_000)])
                try store.acceptMutations(batchIds, at: Timestamp(milliseconds: Int64(batch)))
            }
        }
        try store.saving { try $0.setMetadata("key", "value") }
        let kept = try store.factory.makeDataStore().fetchMutations(MutationQuery())
        #expect(kept.map(\.id) == Array(ids.suffix(MutationQuery.keptAccepted)))
        #expect(kept.allSatisfy { $0.payload == nil && $0.state == .accepted })
        #expect(try store.factory.makeReader().mutationCounts()[.accepted] == kept.count)
        #expect(try pragma("page_count") < full / 2)
    }
}
