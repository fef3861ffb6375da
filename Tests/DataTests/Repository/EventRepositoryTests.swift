import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("Reading events")
struct EventRepositoryTests {
    let store: TemporaryStore
    let repository: EventRepository

    init() throws {
        store = try TemporaryStore()
        repository = store.factory.makeRepository()
    }

    private func put(_ records: [LocalRecord<Event>]) throws {
        try store.saving { store in for record in records { try store.upsert(record) } }
    }

    private func put(notes: [String?]) throws {
        try put(
            notes.enumerated().map { number, notes in
                LocalRecord(
                    Event(
                        id: "n\(number)", eventTypeId: "t", timestamp: Timestamp(milliseconds: Int64(number)),
                        notes: notes))
            })
    }

    @Test("the repository over SQLite keeps the contract", arguments: EventRepositoryContract.checks)
    func contract(_ check: EventRepositoryContract.Check) async throws {
        try await EventRepositoryContract { records in
            try store.saving { store in for record in records { try store.upsert(record) } }
            return repository
        }.run(check)
    }

    @Test("streaming hands over what fetching does, in the same order")
    func streaming() async throws {
        try put(notes: ["run", "a", "Run 2", nil, "b"])
        for filter in [EventFilter(where: .search("run")), EventFilter(order: .oldestFirst, limit: 3)] {
            var streamed: [LocalRecord<Event>] = []
            try repository.forEachEvent(matching: filter) { streamed.append($0) }
            #expect(try await repository.fetch(matching: filter) == streamed)
            #expect(streamed.count > 1)
        }
    }

    @Test("external ids that exist are found among any number of others")
    func externalIds() throws {
        try put(
            (0..<100).map { number in
                LocalRecord(
                    Event(
                        id: "e\(number)", eventTypeId: "t", timestamp: Timestamp(milliseconds: 0),
                        externalId: number % 2 == 0 ? "row:\(number)" : nil))
            })
        let asked = (0..<5000).map { "row:\($0)" } + ["it's", "\"quoted\"", ""]
        let expected = Set(stride(from: 0, to: 100, by: 2).map { "row:\($0)" })
        #expect(try repository.existingExternalIds(among: asked) == expected)
        #expect(try repository.existingExternalIds(among: [String]()) == [])
    }

    @Test("streaming stops with the body's own error")
    func streamingStops() throws {
        struct Full: Error {}
        try put(notes: ["a", "b", "c"])
        var seen = 0
        #expect(throws: Full.self) {
            try repository.forEachEvent(matching: EventFilter()) { _ in
                seen += 1
                if seen == 2 { throw Full() }
            }
        }
        #expect(seen == 2)
        #expect(try repository.existingExternalIds(among: ["x"]) == [])
    }
}
