import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Books")
struct BookTests {
    @Test("a book that the server did not get is sent again, with the same key")
    func sendsAgain() async throws {
        let schema = try EntitySchema([Book.self])
        let (network, stores) = makeTestDependencies(schema: schema)
        let engine = SyncEngine(networkClient: network, dataStoreFactory: stores, schema: schema)
        try await engine.create(Book(id: testId(1), title: "Emma"))

        await network.enqueue(.fail(APIError.timeout), for: .create)
        #expect(await engine.performSync().pending == 1)
        #expect(await engine.performSync().pending == 0)

        let keys = await network.calls.filter { $0.operation == .create }.map(\.idempotencyKey)
        #expect(keys.count == 2 && keys[0] == keys[1])
    }
}

@Test("a store keeps its contract", arguments: DataStoreContract.checks)
func keepsItsContract(_ check: DataStoreContract.Check) throws {
    let contract = DataStoreContract { schema in InMemoryDataStoreFactory(schema: schema) }
    try contract.run(check)
}
