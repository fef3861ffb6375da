import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

// What Docs/Testing.md shows; TestingDocumentTests compares them.

private struct Book: SyncEntity {
    var id: String
    var title: String
    var isRead = false

    static let entityType: EntityType = "book"
    static let fields = CodingKeys.allCases.map(\.stringValue)

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, title
        case isRead = "is_read"
    }
}

/// The store of whoever reads the page.
private struct MyStoreFactory: DataStoreFactory {
    let base: InMemoryDataStoreFactory

    init(schema: EntitySchema) {
        base = InMemoryDataStoreFactory(schema: schema, lockTimeout: .milliseconds(300))
    }

    func makeDataStore() throws -> any DataStoreProtocol { try base.makeDataStore() }
}

@Suite("The examples of Testing.md")
struct TestingExamples {
    private let network: MockNetworkClient
    private let stores: MockDataStoreFactory
    private let engine: SyncEngine
    private let time = ManualWallClock()

    init() throws {
        let schema = try EntitySchema([Book.self])
        (network, stores) = makeTestDependencies(schema: schema)
        engine = SyncEngine(
            networkClient: network, dataStoreFactory: stores, schema: schema,
            wallClock: time, identifiers: SequentialIdentifiers())
    }

    @Test("a record of one's own reaches the server")
    func ownRecords() async throws {
        let book = try await engine.create(Book(id: freshId(), title: "Emma"))
        #expect(await engine.performSync().pushed == 1)
        #expect(try await network.createRequests(Book.self).map(\.entity) == [book])
        #expect(await network.callCount(.create, Book.entityType) == 1)
        #expect(await network.idempotencyKeys == stores.insertedIdempotencyKeys)
    }

    @Test("a lost answer leaves one record, not two")
    func lostAnswer() async throws {
        try await engine.create(Book(id: freshId(), title: "Emma"))
        await network.enqueue(.serveThenFail(APIError.timeout), for: .create, Book.entityType)
        _ = await engine.performSync()
        _ = await engine.performSync()
        let keys = await network.idempotencyKeys(.create, Book.entityType)
        #expect(Set(keys).count == 1)
        #expect(try await network.records(Book.self).count == 1)
    }

    @Test("what another device changed arrives here")
    func otherDevice() async throws {
        let book = Book(id: freshId(), title: "Emma")
        try await network.put(book)
        _ = await engine.performSync()
        try await network.edit(Book.self, id: book.id) { $0.isRead = true }
        _ = await engine.performSync()
        #expect(try stores.unrecorded { try $0.find(Book.self, id: book.id) }?.entity.isRead == true)
    }

    @Test("a write that cannot be saved leaves nothing")
    func fullDisk() async throws {
        stores.enqueue(.fail(.failed("the disk is full")), for: .save)
        let book = Book(id: freshId(), title: "Emma")
        await #expect(throws: StoreError.self) { try await engine.create(book) }
        #expect(stores.callCount(.upsert, Book.entityType) == 1)
        #expect(try stores.unrecorded { try $0.count(Book.self) } == 0)
    }

    @Test("a pause that the server asked for is over when the clock says so")
    func pause() async throws {
        try await engine.create(Book(id: freshId(), title: "Emma"))
        await network.always(.fail(APIError.rateLimited(retryAfter: 90)))
        #expect(await engine.performSync().failure == .rateLimited)
        await network.always(nil)
        time.advance(bySeconds: 91)
        #expect(await engine.performSync().pushed == 1)
    }

    @Test("who sleeps on a manual clock wakes when it is advanced")
    func sleeping() async throws {
        let clock = ManualClock()
        let reminder = Task {
            try await clock.sleep(for: .seconds(3600))
            return "read on"
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(3600))
        #expect(try await reminder.value == "read on")
    }

    @Test("my store keeps the contract", arguments: DataStoreContract.checks)
    func contract(_ check: DataStoreContract.Check) throws {
        try DataStoreContract { schema in MyStoreFactory(schema: schema) }.run(check)
    }
}
