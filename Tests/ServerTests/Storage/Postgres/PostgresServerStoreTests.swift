#if Postgres
    import Foundation
    import Testing
    import TrendyProcesses
    import TrendyConformance
    import TrendyDomain
    import TrendyTestSupport

    @testable import TrendyServer

    @Suite(
        "The PostgreSQL server store", .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.absence)"),
        .timeLimit(.minutes(5)))
    struct PostgresServerStoreTests {
        private func makeStore() throws -> PostgresServerStore {
            try PostgresServerStore(url: PostgresCluster.shared.get().makeSchema())
        }

        @Test("fulfils the contract")
        func contract() throws {
            try checkServerStoreContract(makeStore)
        }

        @Test("takes a whole server that is moved into it")
        func moving() async throws { try await checkMove(makeStore) }

        @Test("keeps the contract of the exchange", arguments: ExchangeContract.checks)
        func exchange(_ check: ExchangeContract.Check) async throws {
            try await ExchangeContract {
                let url = try PostgresCluster.shared.get().makeSchema()
                return RestartedWorld(try ServerWorld(store: PostgresServerStore(url: url))).subject { world in
                    let all = try world.store.read("ann") {
                        try $0.changes(after: 0, upTo: .max, limit: .max, byteLimit: .max)
                    }
                    try asOperator(url, "DELETE FROM record WHERE document IS NULL")
                    let last = all.last { $0.document == nil }?.revision
                    try world.setHistory { $0.horizon = last ?? $0.horizon }
                } copy: { _ in
                    let putBack = try copyRecords(url)
                    return {
                        try putBack()
                        return try PostgresServerStore(url: url)
                    }
                }
            }.run(check)
        }

        @Test("lets the server keep every rule of the protocol")
        func conformance() async throws {
            try await ConformanceBench(store: makeStore()).run { target in
                let report = try await ConformanceRun(target).check(ConformanceRule.all)
                for result in report.results where ![.pass, .notSeen].contains(result.verdict) {
                    Issue.record("\(result.rule): \(result.reason ?? "") \(result.deviations)")
                }
                #expect(report.score == 100)
            }
        }

        @Test("gives back every byte of a document, an id and a user's id")
        func bytes() throws {
            try makeStore().write("n\u{0}") { transaction throws in
                let document = Data((0...255).map { UInt8($0) })
                let (key, now) = (RecordKey("thing", "i\u{0}"), Timestamp(milliseconds: -5))
                let record = StoredRecord(
                    key: key, document: document, createdAt: now, updatedAt: now, revision: 1, createdRevision: 1)
                try transaction.save(AccountHistory(epoch: "e", head: 1))
                try transaction.save([RecordWrite(record: record)])
                #expect(try transaction.records([key]) == [key: .own(record)])
            }
        }

        @Test("takes keys of any length, and tells them apart")
        func longKeys() throws {
            let store = try makeStore()
            let (one, other) = (String(repeating: "é", count: 5_000), String(repeating: "é", count: 4_999) + "è")
            let keys: Set = [UniqueKey("thing", .natural, one), UniqueKey("thing", .natural, other)]
            let now = Timestamp(milliseconds: 1)
            let record = StoredRecord(
                key: RecordKey("thing", "a"), document: Data("{}".utf8), createdAt: now, updatedAt: now, revision: 1,
                createdRevision: 1)
            try store.write("ann") { transaction throws in
                try transaction.save(AccountHistory(epoch: "e", head: 1))
                try transaction.save([RecordWrite(record: record, index: RecordIndex(naturalKey: one))])
                #expect(try transaction.holders(of: keys) == [UniqueKey("thing", .natural, one): ["a"]])
            }
        }

        @Test(
            "reads ids as they were written",
            arguments: [
                "0190a000-0000-7abc-8def-00000000000a", "", "a", "fifteen bytes..", "sixteen bytes...",
                "0190A000-0000-7ABC-8DEF-00000000000A", "☕️",
            ])
        func ids(id: String) {
            #expect(PostgresKey.text(ofId: Data(PostgresKey.id(id))) == id)
        }

        @Test("is made once by servers that start at the same time")
        func startsAtOnce() async throws {
            for _ in 0..<3 {
                let url = try PostgresCluster.shared.get().makeSchema()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 { group.addTask { _ = try PostgresServerStore(url: url) } }
                    try await group.waitForAll()
                }
                #expect(
                    try ServerWorld(store: PostgresServerStore(url: url)).create(EventType.sample()).isReplay == false)
            }
        }

        @Test("looks everything up by an index")
        func plans() throws {
            let url = try PostgresCluster.shared.get().makeSchema()
            _ = try PostgresServerStore(url: url)
            let connection = try PostgresConnection(PostgresURL(url))
            let names = PostgresValue.texts(["event"])
            let plan = try connection.query(
                """
                EXPLAIN SELECT record.id FROM unnest($1::bytea[], $2::text[]) AS wanted (id, entity_type)
                JOIN record ON record.id = wanted.id AND record.entity_type = wanted.entity_type
                """, [.ids([id(1)]), names]
            ).map { $0.text(0) }.joined(separator: "\n")
            #expect(plan.contains("using record_pkey") && !plan.contains("Seq Scan"), "\(plan)")
        }
    }
#endif
