import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

// What Docs/DependencyInjection.md shows; DependencyInjectionDocumentTests compares them.

@MainActor
@Suite("The examples of DependencyInjection.md")
struct DependencyInjectionExamples {
    private let network = MockNetworkClient(clock: ManualWallClock(TestShell.noon))

    @Test("an engine of mocks writes and syncs")
    func engine() async throws {
        let engine = SyncEngine(
            networkClient: MockNetworkClient(),
            dataStoreFactory: MockDataStoreFactory(),
            wallClock: ManualWallClock(),
            identifiers: SequentialIdentifiers())
        try await engine.create(makeEventType(name: "run"))
        #expect(await engine.performSync().pushed == 1)
    }

    @Test("a clock that is registered over that of the tests is the one that counts")
    func override() async throws {
        let network = MockNetworkClient()
        var graph = DependencyRegistrations.testing(network: network)
        graph.register((any WallClock).self) { ManualWallClock(Timestamp(milliseconds: 0)) }
        let store = try DependencyContainer(graph).resolve(EventStore.self)
        try await store.create(makeEventType(name: "run"))
        _ = await store.syncNow()
        #expect(store.lastSyncTime == Timestamp(milliseconds: 0))
        #expect(await network.createEventTypeCallCount == 1)
    }

    @Test("a whole command line speaks to the server that is registered")
    func commandLine() async throws {
        let shell = try TestShell()
        shell.overrides = { graph in
            graph.register((any NetworkClientProtocol).self) { network }
        }
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        let answer = try await shell.run("doctor")
        #expect(answer.status == 0, "\(answer.output)")
        #expect(await network.checkHealthCallCount == 1)
    }

    @Test("a service is registered by its type and what it needs")
    func service() throws {
        let home = try TestHome()
        var graph = DependencyRegistrations.testing()
        graph.register(StoreReader.self) { LocalStoreFactory(path: home.path + "/store").makeReader() }
        graph.register(RecordLookup.self, from: StoreReader.self) { reader in
            RecordLookup(reader: reader)
        }
        #expect(try DependencyContainer(graph).resolve(RecordLookup.self).hasType(named: "run") == false)
    }
}
