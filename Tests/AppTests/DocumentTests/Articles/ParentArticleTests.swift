import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

// What the article about parents shows; ArticleTests compares them.

@Suite("The article about records that belong to others")
struct ParentArticleTests {
    private let ids = UUIDv7Generator()

    @Test("sends books before their quotes; a quote goes with its book, and stays without the one it was found in")
    func cascades() async throws {
        let home = try TestHome()
        let stores = LocalStoreFactory(
            path: home.path + "/library.sqlite", schema: try .library, migrations: [.books, .quotes])
        let client = MockNetworkClient(
            schema: try .library,
            capabilities: [Quote.entityType: RecordRoutes.quotes.capabilities])
        let engine = SyncEngine(networkClient: client, dataStoreFactory: stores, schema: try .library)
        let emma = try await engine.create(Book(id: ids.makeId(), title: "Emma"))
        let essays = try await engine.create(Book(id: ids.makeId(), title: "Essays"))
        let own = try await engine.create(Quote(id: ids.makeId(), bookId: emma.id, text: "Handsome, clever, and rich"))
        let found = try await engine.create(
            Quote(id: ids.makeId(), bookId: essays.id, foundInId: emma.id, text: "Of books"))
        _ = await engine.performSync()
        let created = await client.calls.filter { $0.operation == .create }.compactMap(\.entityType)
        #expect(created == [Book.entityType, Book.entityType, Quote.entityType, Quote.entityType])

        try await engine.delete(Book.self, id: emma.id)
        let store = try stores.makeDataStore()
        #expect(try store.find(Quote.self, id: own.id) == nil)
        #expect(try store.find(Quote.self, id: found.id)?.entity.foundInId == nil)
        #expect(await engine.performSync().failure == nil)
        #expect(await client.calls.filter { $0.operation == .delete }.map(\.entityIds) == [[emma.id]])
        #expect(try await client.records(Quote.self).map(\.id) == [found.id])
    }
}
