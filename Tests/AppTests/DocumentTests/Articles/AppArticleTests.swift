import Testing
import TrendyApp
import TrendyDomain

// What the article of TrendyApp shows; ArticleTests compares them.

@MainActor
@Suite("The article of TrendyApp")
struct AppArticleTests {
    @Test("logs an event, shows it, and syncs where somebody is signed in")
    func logs() async throws {
        let home = try TestHome()
        var process = ProcessContext.current()
        process.environment = ["TRENDY_HOME": home.path]
        let store = try makeEventStore(in: process)
        try await store.load()
        let run = try await store.create(EventType(id: process.identifiers.makeId(), name: "run"))
        try await store.create(
            Event(id: process.identifiers.makeId(), eventTypeId: run.id, timestamp: process.wallClock.now()))
        #expect(store.events.count == 1 && store.pendingCount == 2)

        let report = await store.syncNow()
        #expect(report.failure == .signedOut)
    }

    @Test("takes another part for one of the product's")
    func overrides() throws {
        let process = ProcessContext.current()
        let configuration = TrendyConfiguration(folders: Folders(data: "/nowhere", config: "/nowhere"))
        let clock = SystemWallClock()
        let root = CompositionRoot(configuration: configuration, process: process) { graph in
            graph.register((any WallClock).self) { clock }
        }
        try root.validate()
        #expect(try root.container.resolve((any WallClock).self) is SystemWallClock)
    }
}
