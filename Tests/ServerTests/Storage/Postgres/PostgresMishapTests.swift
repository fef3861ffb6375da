#if Postgres
    import Foundation
    import Logging
    import Synchronization
    import Testing
    import TrendyProcesses
    import TrendyDomain
    import TrendyTestSupport

    @testable import TrendyServer

    @Suite(
        "PostgreSQL in the way", .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"),
        .timeLimit(.minutes(5)))
    struct PostgresMishapTests {
        /// Has the first so many commits of an outcome meet with a mishap. What a sequence gives is not taken back.
        private func plant(_ mishap: String, times: Int, at moment: String, in url: String) throws {
            let trigger =
                moment == "commit"
                ? "CREATE CONSTRAINT TRIGGER mishap AFTER INSERT ON outcome DEFERRABLE INITIALLY DEFERRED FOR EACH ROW"
                : "CREATE TRIGGER mishap BEFORE INSERT ON outcome FOR EACH ROW"
            try asOperator(
                url, "CREATE SEQUENCE mishaps",
                """
                CREATE FUNCTION mishap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                    IF nextval('mishaps') <= \(times) THEN \(mishap); END IF; RETURN NEW;
                END $$
                """, "\(trigger) EXECUTE FUNCTION mishap()")
        }

        private func fallen(_ state: String) -> String { "RAISE EXCEPTION 'planted' USING ERRCODE = '\(state)'" }

        private let cut = "PERFORM pg_terminate_backend(pg_backend_pid())"

        private func makeWorld(_ url: String) throws -> ServerWorld {
            let world = try ServerWorld(store: PostgresServerStore(url: url))
            _ = try world.create(EventType.sample())
            return world
        }

        @Test(
            "a transaction that others were in the way of is run again, and takes effect once",
            arguments: ["40001", "40P01"], ["statement", "commit"])
        func conflicts(state: String, moment: String) throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try makeWorld(url)
            try plant(fallen(state), times: 3, at: moment, in: url)
            #expect(try world.create(Event.sample(2), key: "k").outcome == .created)
            #expect(try world.create(Event.sample(2), key: "k").isReplay)
            #expect(try world.feed("ann").changes.map(\.id) == [1, 2])
        }

        @Test("one that others are in the way of for ever is given up, with a pause to ask for")
        func bounded() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try makeWorld(url)
            try plant(fallen("40001"), times: 1_000, at: "statement", in: url)
            let refusal = problem { try world.create(Event.sample(2), key: "k") }
            #expect(refusal?.kind == .unavailable && refusal?.retryAfter == 1)
            #expect(try world.feed("ann").changes.map(\.id) == [1])
        }

        @Test("a connection that is cut before the commit is replaced, and the transaction run again")
        func cutBefore() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try makeWorld(url)
            try plant(cut, times: 2, at: "statement", in: url)
            #expect(try world.create(Event.sample(2), key: "k").outcome == .created)
            #expect(try world.feed("ann").changes.map(\.id) == [1, 2])
        }

        @Test("one that is cut during the commit is told as 503, and sending it again takes effect once")
        func cutDuring() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try makeWorld(url)
            try plant(cut, times: 1, at: "commit", in: url)
            let refusal = problem { try world.create(Event.sample(2), key: "k") }
            #expect(refusal?.kind == .unavailable && refusal?.detail.contains("may have been kept") == true)
            _ = try world.create(Event.sample(2), key: "k")
            #expect(try world.feed("ann").changes.map(\.id) == [1, 2])
        }

        @Test("jobs that share a transaction are all run again, and one that is refused holds up none")
        func groups() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try makeWorld(url)
            try plant(fallen("40001"), times: 2, at: "commit", in: url)
            let results = Results()
            let jobs = (2...5).map { number in
                WriteJob("ann") { transaction throws -> Int64 in
                    let history = try #require(try transaction.history())
                    let head = history.head + 1
                    try transaction.save(AccountHistory(epoch: history.epoch, head: head))
                    let at = Timestamp(milliseconds: 1)
                    try transaction.save([KeptOutcome(key: "\(number)", digest: 1, revision: head, at: at)])
                    if number == 3 { throw ServerProblem(.conflict, "no") }
                    if number == 4 { try transaction.save(AccountHistory(epoch: "a\u{0}")) }
                    return head
                } then: { result in
                    results.told.withLock { $0.append(try? result.get()) }
                }
            }
            world.store.write(jobs)
            #expect(results.told.withLock { $0 } == [2, nil, nil, 3])
            #expect(try world.store.read("ann") { try $0.outcomes(["2", "3", "4", "5"]).keys.sorted() } == ["2", "5"])
        }

        @Test("two servers on one database give one order of revisions, without gaps or repeats")
        func twoServers() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let worlds = try [makeWorld(url), ServerWorld(store: PostgresServerStore(url: url))]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<6 {
                    group.addTask {
                        for number in 0..<25 {
                            _ = try worlds[writer % 2].create(Event.sample(UInt64(100 * (writer + 1) + number)))
                            await Task.yield()
                        }
                    }
                }
                try await group.waitForAll()
            }
            for world in worlds { #expect(try world.feed("ann").changes.map(\.id) == Array(1...151)) }
        }

        @Test("a writer who has waited for the account's row reads what was committed meanwhile")
        func rowLock() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try makeWorld(url)
            let other = try PostgresConnection(PostgresURL(url))
            try other.run("BEGIN")
            _ = try other.query("SELECT 1 FROM history WHERE user_id = $1::bytea FOR UPDATE", [.id("ann")])
            let holder = try other.query("SELECT pg_backend_pid()").first?.number(0)
            let (blocking, isOver) = (BlockingWork(store: world.store), Flag())
            async let head = blocking.read {
                defer { isOver.isUp.withLock { $0 = true } }
                _ = try world.create(Event.sample(2))
                return try world.records.latestCursor(userId: "ann")
            }
            let watcher = try PostgresConnection(PostgresURL(url))
            while try watcher.query(
                "SELECT 1 FROM pg_stat_activity WHERE $1::int8::int4 = ANY (pg_blocking_pids(pid))", [.number(holder)]
            ).count == 0, !isOver.isUp.withLock({ $0 }) {
                try Task.checkCancellation()
                await Task.yield()
            }
            try other.run("UPDATE history SET head = 40")
            try other.run("COMMIT")
            #expect(try await head == 41)
        }

        @Test("two accounts that make the same record at once do not both get it")
        func oneName() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let worlds = try [makeWorld(url), ServerWorld(store: PostgresServerStore(url: url))]
            _ = try worlds[1].create(EventType.sample(1_000, name: "b"), for: "bob")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, user) in ["ann", "bob"].enumerated() {
                    let (world, type) = (worlds[index], [UInt64(1), 1_000][index])
                    group.addTask {
                        for number in UInt64(2)...60 {
                            do {
                                _ = try world.create(Event.sample(number, type: type), for: user)
                            } catch let problem as ServerProblem where problem.kind == .notFound {
                                continue
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let (ann, bob) = (try worlds[0].feed("ann").changes, try worlds[0].feed("bob").changes)
            #expect(ann.map(\.id) == Array(1...Int64(ann.count)) && bob.map(\.id) == Array(1...Int64(bob.count)))
            #expect(Set(ann.map(\.entityId) + bob.map(\.entityId)).count == 61 && ann.count + bob.count == 61)
        }

        @Test("what was acknowledged is there when connections are cut all the time")
        func cutAtRandom() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let worlds = try [makeWorld(url), ServerWorld(store: PostgresServerStore(url: url))]
            let end = Flag()
            let acknowledged = try await withThrowingTaskGroup(of: [String].self) { group in
                group.addTask {
                    while !end.isUp.withLock({ $0 }) {
                        try Task.checkCancellation()
                        try asOperator(
                            url,
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE application_name = 'trendy' AND pid <> pg_backend_pid()
                                AND pid IN (SELECT pid FROM pg_locks WHERE relation = 'history'::regclass)
                            """)
                        await Task.yield()
                    }
                    return []
                }
                let writers = try await withThrowingTaskGroup(of: [String].self) { writers in
                    for writer in 0..<2 {
                        writers.addTask {
                            var acknowledged: [String] = []
                            for number in 0..<60 {
                                let event = Event.sample(UInt64(100 * (writer + 1) + number))
                                let reply = try? worlds[writer].create(event, key: "k\(event.id)")
                                if reply != nil { acknowledged.append(event.id) }
                                await Task.yield()
                            }
                            return acknowledged
                        }
                    }
                    return try await writers.reduce(into: []) { $0 += $1 }
                }
                end.isUp.withLock { $0 = true }
                try await group.waitForAll()
                return writers
            }
            let changes = try worlds[0].feed("ann").changes
            #expect(Set(acknowledged).subtracting(changes.map(\.entityId)) == [])
            #expect(changes.map(\.id) == Array(1...Int64(changes.count)) && !acknowledged.isEmpty)
        }

        @Test("a database that was restarted is used again, and one that is away is told as 503")
        func restart() async throws {
            let cluster = try PostgresCluster()
            let log = RecordingLog()
            let world = try ServerWorld(store: PostgresServerStore(url: cluster.url(), logger: log.logger))
            _ = try world.create(EventType.sample())
            try await cluster.restart()
            #expect(try world.create(Event.sample(2)).outcome == .created)
            try await cluster.restart()
            #expect(try world.feed("ann").changes.map(\.id) == [1, 2])
            #expect(log.messages(.warning) == [])
            try await cluster.stop()
            let refusal = problem { try world.create(Event.sample(3)) }
            #expect(refusal?.kind == .unavailable && refusal?.retryAfter == 5)
            #expect(log.messages(.warning).count == 1)
            try await cluster.restart()
            #expect(try world.create(Event.sample(3)).outcome == .created)
        }

        @Test("a database that is put back beneath a server that stays up is found out, however far that writes on")
        func putBack() async throws {
            let cluster = try PostgresCluster()
            try await checkPutBack(makeWorld(cluster.url())) {
                let putBack = try copyRecords(cluster.url())
                return {
                    try await cluster.restart()
                    try putBack()
                }
            }
        }

        @Test("a database whose rows are put back while it runs is found out as well")
        func putBackRows() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            try await checkPutBack(makeWorld(url)) { try copyRecords(url) }
        }

        @Test("a table that is emptied or made anew while a server runs counts as another start of the database")
        func tablesMadeAnew() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let store = try PostgresServerStore(url: url)
            func start() throws -> String { try store.write("ann") { $0.databaseStart } }
            var starts = [try start()]
            // By the sixth time PostgreSQL has a plan of the statement that it keeps.
            for _ in 0..<8 { #expect(try start() == starts[0]) }
            try asOperator(url, "TRUNCATE history")
            starts.append(try start())
            try asOperator(
                url, "CREATE TABLE restored (LIKE history INCLUDING ALL)", "DROP TABLE history",
                "ALTER TABLE restored RENAME TO history")
            starts.append(try start())
            #expect(Set(starts).count == 3, "\(starts)")
        }

        @Test("an account that is locked holds up no other")
        func lockedAccount() async throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            let world = try makeWorld(url)
            _ = try world.create(EventType.sample(3, name: "b"), for: "bob")
            let blocking = BlockingWork(store: world.store)
            let connection = try PostgresConnection(PostgresURL(url))
            try connection.run("BEGIN")
            _ = try connection.query("SELECT 1 FROM history WHERE user_id = $1::bytea FOR UPDATE", [.id("ann")])
            func write(_ user: String) -> PreparedWrite<Int64> {
                PreparedWrite(store: world.store, userId: user, live: world.records.live) { transaction in
                    var history = try #require(try transaction.history())
                    history.head += 1
                    try transaction.save(history)
                    return (history.head, history)
                }
            }
            let ann = [write("ann"), write("ann")]
            async let first = blocking.commit(ann[0])
            async let second = blocking.commit(ann[1])
            #expect(try await blocking.commit(write("bob")) == 2)
            try connection.run("COMMIT")
            #expect(try await Set([first, second]) == [2, 3])
        }
    }

    private final class Flag: Sendable {
        let isUp = Mutex(false)
    }

    private final class Results: Sendable {
        let told = Mutex<[Int64?]>([])
    }
#endif
