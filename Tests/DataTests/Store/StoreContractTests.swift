import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("The contract of a store")
struct StoreContractTests {
    @Test("is kept by the store in SQLite", arguments: DataStoreContract.checks)
    func localStore(_ check: DataStoreContract.Check) throws {
        try DataStoreContract { try TemporaryStore(schema: $0, busyTimeout: .milliseconds(300)) }.run(check)
    }

    @Test("is kept by the store in memory", arguments: DataStoreContract.checks)
    func inMemoryStore(_ check: DataStoreContract.Check) throws {
        try DataStoreContract { InMemoryDataStoreFactory(schema: $0, lockTimeout: .milliseconds(300)) }.run(check)
    }

    @Test("is kept by the mock that records its calls", arguments: DataStoreContract.checks)
    func mockStore(_ check: DataStoreContract.Check) throws {
        try DataStoreContract { schema in
            MockDataStoreFactory(
                wrapping: InMemoryDataStoreFactory(schema: schema, lockTimeout: .milliseconds(300)))
        }.run(check)
    }
}
