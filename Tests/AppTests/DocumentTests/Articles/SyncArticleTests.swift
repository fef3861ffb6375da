import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

// What the article of TrendySync shows; ArticleTests compares them.

@Suite("The article of TrendySync")
struct SyncArticleTests {
    private let ids = UUIDv7Generator()

    @Test("writes without a network, and syncs")
    func writesAndSyncs() async throws {
        let (client, stores) = makeTestDependencies(schema: try EntitySchema([Book.self]))
        let engine = try makeEngine(client: client, stores: stores)
        var book = try await engine.create(Book(id: ids.makeId(), title: "Emma"))
        book.isRead = true
        try await engine.update(book)
        #expect(await client.calls.isEmpty)

        let report = await engine.performSync()
        if let problem = report.error { print("kept here, and sent later: \(problem)") }
        #expect(report.pushed == 1 && report.error == nil)
        #expect(try await client.records(Book.self).map(\.isRead) == [true])
    }

    @Test("syncs by itself while it follows the server")
    func follows() async throws {
        let (client, stores) = makeTestDependencies(schema: try EntitySchema([Book.self]))
        let engine = try makeEngine(client: client, stores: stores)
        let following = Task { try await engine.follow() }
        try await engine.create(Book(id: ids.makeId(), title: "Emma"))
        while try await client.records(Book.self).isEmpty { await Task.yield() }
        following.cancel()
        try await following.value
    }

    @Test("keeps what could not be sent, and tells what it is doing")
    func keeps() async throws {
        let (client, stores) = makeTestDependencies(schema: try EntitySchema([Book.self]))
        await client.always(.fail(APIError.timeout))
        let engine = try makeEngine(client: client, stores: stores)
        try await engine.create(Book(id: ids.makeId(), title: "Emma"))
        let report = await engine.performSync()
        #expect(report.failure == .unreachable && report.pending == 1)
        let following = Task {
            for await state in engine.stateChanges {
                print("\(state)")
            }
        }
        following.cancel()
        await following.value
    }
}
