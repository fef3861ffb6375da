#if Postgres
    import Synchronization
    import Testing
    import TrendyProcesses
    import TrendyDomain
    import TrendyTestSupport

    @testable import TrendyServer

    @Suite(
        "Servers on one PostgreSQL", .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"),
        .timeLimit(.minutes(2)))
    struct PostgresHeadHintsTests {
        @Test("tell each other of commits, also after their connections were cut")
        func hints() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let (here, there) = (try PostgresServerStore(url: url), try PostgresServerStore(url: url))
            let clock = ManualWallClock()
            let records = RecordService(store: here, clock: clock, live: LiveHub(hints: here.headHints))
            // It reads no heads: what it tells it was told.
            let hub = LiveHub(hints: there.headHints)
            let watch = try hub.watch("ann")
            for round in 0..<2 {
                if round > 0 {
                    try asOperator(
                        url,
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE pid <> pg_backend_pid() AND (query LIKE 'LISTEN %' OR query LIKE 'SELECT pg_notify%')
                        """)
                }
                // Until both listen, what one says the other may miss: then it is said again.
                let heard = Task {
                    while let news = await watch.next() {
                        if case .head(let head) = news { return head as ServerHead? }
                    }
                    return nil
                }
                let isHeard = Flag()
                let waiting = Task {
                    let head = await heard.value
                    isHeard.raise()
                    return head
                }
                var last: Int64 = 0
                while !isHeard.isUp {
                    let type = try WireCoding.encode(EventType.sample(UInt64(100 * round) + 1, name: "\(last)"))
                    if (try? records.create(.eventType, type, WriteContext(userId: "ann"))) != nil {
                        last = try here.heads(of: ["ann"])["ann"]?.head ?? 0
                    }
                }
                let told = try #require(await waiting.value)
                #expect(told.head > 0 && told.head <= last + 1)
                #expect(told.epoch == (try here.heads(of: ["ann"])["ann"]?.epoch))
            }
            #expect(try here.heads(of: ["nobody", "ann"]).keys.sorted() == ["ann"])
        }
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isUp: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }
#endif
