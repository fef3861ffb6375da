import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("The history of past syncs")
struct SyncHistoryTests {
    /// Keeps what the engine tells it, as a user interface would.
    private actor Recorder: SyncHistoryStore {
        private(set) var entries: [SyncHistoryEntry] = []

        func append(_ entry: SyncHistoryEntry) { entries.append(entry) }
    }

    private static func engine(
        _ network: MockNetworkClient, _ stores: some DataStoreFactory, limit: Int, _ recorder: Recorder? = nil,
        wallClock: ManualWallClock = ManualWallClock()
    ) -> SyncEngine {
        var configuration = SyncConfiguration()
        configuration.historyLimit = limit
        return SyncEngine(
            networkClient: network, dataStoreFactory: stores, configuration: configuration,
            wallClock: wallClock, clock: ManualClock(), syncHistoryStore: recorder)
    }

    @Test("is told to the store that an engine was given, each sync as it ends, failed ones too")
    func told() async throws {
        let (network, stores) = makeTestDependencies()
        let recorder = Recorder()
        let engine = Self.engine(network, stores, limit: 100, recorder)
        try await engine.create(makeEventType(name: "coffee"))
        await network.enqueue(.fail(APIError.timeout), times: 2, for: .exchange)
        for _ in 0..<3 { await engine.performSync() }
        let entries = await recorder.entries
        #expect(entries.map(\.failure) == [.unreachable, nil, nil] && entries.map(\.pushed) == [0, 1, 0])
        #expect(try await engine.history() == entries)
    }

    @Test("has the order of the syncs, also where the clock was set back between them")
    func clockSetBack() async throws {
        let (network, stores) = makeTestDependencies()
        let (recorder, wallClock) = (Recorder(), ManualWallClock())
        let engine = Self.engine(network, stores, limit: 100, recorder, wallClock: wallClock)
        wallClock.advance(bySeconds: 200_000)
        await network.enqueue(.fail(APIError.timeout), times: 2, for: .exchange)
        await engine.performSync()
        wallClock.advance(bySeconds: -200_000)
        for _ in 0..<3 { await engine.performSync() }
        #expect(try await engine.history() == recorder.entries)
        #expect(try await engine.history().map(\.failure) == [.unreachable, nil, nil, nil])
    }

    @Test("keeps the last ones, and never many more on disk", arguments: [1, 4, 10])
    func bounded(limit: Int) async throws {
        let (network, stores) = makeTestDependencies()
        let recorder = Recorder()
        let engine = Self.engine(network, stores, limit: limit, recorder)
        for _ in 0..<30 {
            await engine.performSync()
            #expect(try await engine.history() == recorder.entries.suffix(limit))
            #expect(try stores.makeDataStore().countDocuments(SyncHistoryEntry.self) <= limit + limit / 4)
        }
        #expect(await recorder.entries.count == 30)
    }
}
