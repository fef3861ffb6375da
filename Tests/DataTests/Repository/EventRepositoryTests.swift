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

    /// Events with every combination of a few values of each field that a filter looks at.
    private func mixed() -> [LocalRecord<Event>] {
        let texts: [String?] = [nil, "Morning run", "ÄRGER 100%", "run_fast"]
        return (0..<240).map { number in
            let event = Event(
                id: "id-\(String(number * 7919 % 1000))-\(number)", eventTypeId: "type\(number % 3)",
                timestamp: Timestamp(milliseconds: Int64(number / 4 * 10)), notes: texts[number % 4],
                originalTitle: texts[number / 4 % 4], locationName: texts[number / 16 % 4])
            return LocalRecord(event, syncStatus: SyncStatus.allCases[number / 5 % 3])
        }
    }

    /// What a filter means, in a few lines without a database.
    private func expected(_ filter: EventFilter, _ records: [LocalRecord<Event>]) -> [String] {
        let needle = filter.searchText.map { $0.lowercased().split(separator: " ").joined(separator: " ") } ?? ""
        let matching = records.filter { record in
            let event = record.entity
            let texts = [event.notes, event.originalTitle, event.locationName].compactMap { $0?.lowercased() }
            return filter.eventTypeIds?.contains(event.eventTypeId) ?? true
                && filter.since.map { event.timestamp >= $0 } ?? true
                && filter.until.map { event.timestamp < $0 } ?? true
                && filter.syncStatus.map { record.syncStatus == $0 } ?? true
                && (needle.isEmpty || texts.contains { $0.contains(needle) })
        }
        let sorted = matching.sorted { ($0.entity.timestamp, $0.id) < ($1.entity.timestamp, $1.id) }
        return (filter.order == .oldestFirst ? sorted : sorted.reversed()).map(\.id)
    }

    private func filters() -> [EventFilter] {
        let types: [Set<String>?] = [nil, [], ["type1"], ["type0", "type2", "none"]]
        let intervals: [(Timestamp?, Timestamp?)] = [
            (nil, nil), (Timestamp(milliseconds: 100), nil), (nil, Timestamp(milliseconds: 200)),
            (Timestamp(milliseconds: 100), Timestamp(milliseconds: 110)),
        ]
        let texts = [nil, "  ", "RUN", " ärger ", "100%", "n_f", "Ärger 100% "]
        var filters: [EventFilter] = []
        for types in types {
            for (since, until) in intervals {
                for text in texts {
                    for status in [nil, SyncStatus.pending] {
                        filters.append(
                            EventFilter(
                                eventTypeIds: types, since: since, until: until, searchText: text, syncStatus: status,
                                order: filters.count % 2 == 0 ? .newestFirst : .oldestFirst))
                    }
                }
            }
        }
        return filters
    }

    @Test("fetch, count, counts by type and streaming agree with the filter's meaning")
    func everyFilter() async throws {
        let records = mixed()
        try put(records)
        let types = Dictionary(records.map { ($0.id, $0.entity.eventTypeId) }, uniquingKeysWith: { first, _ in first })
        for var filter in filters() {
            let ids = expected(filter, records)
            #expect(try await repository.fetch(matching: filter).map(\.id) == ids, "\(filter)")
            for limit in [0, 1, 7] {
                filter.limit = limit
                #expect(try await repository.fetch(matching: filter).map(\.id) == Array(ids.prefix(limit)))
            }
            #expect(try await repository.count(matching: filter) == ids.count)
            let counts = Dictionary(ids.compactMap { types[$0] }.map { ($0, 1) }, uniquingKeysWith: +)
            #expect(try await repository.countsByType(matching: filter) == counts)
        }
    }

    @Test("fetched records carry all their fields, the server's and the status")
    func wholeRecords() async throws {
        let record = LocalRecord(
            Event(
                id: "e", eventTypeId: "t", timestamp: Timestamp(milliseconds: 5), isAllDay: true,
                sourceType: .healthKit, properties: ["a": .number(1)]),
            server: ServerFields(userId: "u", updatedAt: Timestamp(milliseconds: 9)), syncStatus: .failed)
        try put([record])
        #expect(try await repository.fetch(matching: EventFilter()) == [record])
    }

    @Test(
        "a text is found whatever its case and script, and its wildcards and quotes are plain text",
        arguments: [
            ("straße", [0]), ("STRASSE", []), ("ŽLUŤOUČKÝ", [1]), ("%", [2]), ("_", [3]), ("\\", [4]), ("'", [5]),
            ("\"; DROP TABLE event; --", [6]), ("привет", [7]), ("CAFÉ", [8]), ("x", []), ("😀", [9]), ("nul", [10]),
        ])
    func search(_ text: String, _ found: [Int]) async throws {
        try put(notes: [
            "Straße", "žluťoučký kůň", "50% off", "a_b", "C:\\dir", "it's", "\"; drop table event; --", "ПРИВЕТ",
            "cafe\u{301}", "ok 😀", "has\0nul", nil,
        ])
        let ids = try await repository.fetch(matching: EventFilter(searchText: text, order: .oldestFirst)).map(\.id)
        #expect(ids == found.map { "n\($0)" })
        #expect(try await repository.count(matching: EventFilter()) == 12)
    }

    @Test("ids are found whole or by their end, in either case, up to the limit")
    func suffixes() async throws {
        let ids = [
            "019ab000-0000-7000-8000-00000000abcd", "019ab000-0000-7000-8000-00000001abcd",
            "019ab000-0000-7000-8000-000000020bcd", "019AB000-0000-7000-8000-0000000FFFFF",
        ]
        try put(ids.map { LocalRecord(Event(id: $0, eventTypeId: "t", timestamp: Timestamp(milliseconds: 0))) })
        func find(_ suffix: String, limit: Int = 10) async throws -> [Int] {
            try await repository.ids(endingWith: suffix, limit: limit).compactMap { ids.firstIndex(of: $0) }
        }
        #expect(try await find("bcd") == [0, 1, 2])
        #expect(try await find("bcd", limit: 2) == [0, 1])
        #expect(try await find("ABCD") == [0, 1])
        #expect(try await find("1abcd") == [1])
        #expect(try await find("00000000ABCD") == [0])
        #expect(try await find("01abcd") == [1])
        #expect(try await find(ids[1]) == [1])
        #expect(try await find(ids[1].uppercased()) == [1])
        #expect(try await find("fffff") == [3])
        #expect(try await find("0fffff") == [3])
        #expect(try await find("0" + ids[1]) == [])
        #expect(try await find("") == [])
        #expect(try await find("%") == [])
        #expect(try await find("abc_") == [])
        #expect(try await find("bcd", limit: 0) == [])
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
