import Testing
import TrendyData
import TrendyDomain
import TrendyServer
import TrendySync

// What the articles of TrendyData and TrendyServer show; ArticleTests compares them.

@Suite("The articles of TrendyData and TrendyServer")
struct DataAndServerArticleTests {
    @Test("a device sends a book to the server, and another device has it", .timeLimit(.minutes(5)))
    func twoDevices() async throws {
        let home = try TestHome()
        let folder = home.url
        var configuration = ServerConfiguration(dataDirectory: folder, port: 0)
        configuration.passwordCost = .minimal
        let server = try makeServer(configuration)
        let (ports, announced) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.runUntilCancelled { port in
                    announced.yield(port)
                }
                announced.finish()
            }
            var listening = ports.makeAsyncIterator()
            let port = try #require(await listening.next())
            try await Self.exchange(over: "http://127.0.0.1:\(port)", in: home)
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test("a store of books takes the further migration, and its books stay")
    func furtherField() throws {
        let home = try TestHome()
        let path = home.path + "/books.sqlite"
        let book = Book(id: UUIDv7Generator().makeId(), title: "Emma")
        let store = try openStore(at: path).makeDataStore()
        try store.upsert(LocalRecord(book))
        try store.save()
        let later = LocalStoreFactory(
            path: path, schema: try EntitySchema([Book.self]), migrations: [.books, .bookRatings])
        #expect(try later.makeDataStore().find(Book.self, id: book.id)?.entity.title == "Emma")
    }

    @Test("a client with a fixed key has the address without the base path, and cannot sign in")
    func fixedKey() async throws {
        let client = try connect(to: "https://library.example.org/api/v1/", apiKey: "key")
        #expect(client.server.description == "https://library.example.org")
        #expect(client.capabilities(of: Book.entityType).listing == .paged(limit: 100))
        await #expect(throws: APIError.self) { try await client.login(email: "ann@example.org", password: "x") }
        let changes = client.routes.records[Book.entityType]?.updateBody
        #expect(try changes?.request?(["title": "Emma"]) == ["changes": ["title": "Emma"]])
        #expect(try changes?.response?(["book": ["title": "Emma"]]) == ["title": "Emma"])
    }

    private static func exchange(over address: String, in home: TestHome) async throws {
        let stores = try openStore(at: home.path + "/books.sqlite")
        let client = try connect(to: address)
        try await client.signup(email: "ann@example.org", password: "correct horse")
        let engine = try makeEngine(client: client, stores: stores)
        try await engine.create(Book(id: UUIDv7Generator().makeId(), title: "Emma"))
        #expect(await engine.performSync().pushed == 1)

        let otherStores = try openStore(at: home.path + "/other.sqlite")
        let otherClient = try connect(to: address)
        try await otherClient.login(email: "ann@example.org", password: "correct horse")
        let otherEngine = try makeEngine(client: otherClient, stores: otherStores)
        #expect(await otherEngine.performSync().pulled == 1)
        let titles = try otherStores.makeReader().fetch(Book.self).map(\.entity.title)
        #expect(titles == ["Emma"])
    }
}
