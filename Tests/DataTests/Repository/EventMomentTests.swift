import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("Reading no more of events than when they were")
struct EventMomentTests {
    private let store: TemporaryStore
    private let repository: EventRepository

    init() throws {
        store = try TemporaryStore()
        repository = store.factory.makeRepository()
        let values: [[String: PropertyValue]] = [
            ["km": .number(7.5)], ["km": .number(4), "k.\"m": .number(1)], ["rest": .duration(90)], [:],
            ["km": .text("12")], ["km": .other(type: PropertyType(rawValue: "weight"), value: .integer(3))],
            ["km": .other(type: .number, value: .string("9"))],
        ]
        let events = values.enumerated().map { number, properties in
            Event(
                id: "n\(number)", eventTypeId: number < 5 ? "run" : "walk",
                timestamp: Timestamp(milliseconds: Int64(number - 3) * 1001), isAllDay: number % 2 == 1,
                properties: properties)
        }
        try store.saving { store in for event in events { try store.upsert(LocalRecord(event)) } }
    }

    private func filter(_ type: String? = nil, _ since: Int64? = nil, _ until: Int64? = nil) -> EventFilter {
        EventFilter(
            eventTypeIds: type.map { [$0] }, since: since.map(Timestamp.init(milliseconds:)),
            until: until.map(Timestamp.init(milliseconds:)))
    }

    private func moments(_ type: String? = nil, since: Int64? = nil, until: Int64? = nil) throws -> [Int64] {
        var found: [Int64] = []
        try repository.forEachMomentAndDay(matching: filter(type, since, until)) { moment, _ in
            found.append(moment.milliseconds)
        }
        return found.sorted()
    }

    private func numbers(_ key: String, _ type: String = "run", since: Int64? = nil) throws -> [Int64: Double] {
        var found: [Int64: Double] = [:]
        try repository.forEachNumber(of: key, matching: filter(type, since)) {
            found[$0.milliseconds] = $2
        }
        return found
    }

    @Test("each moment comes once, also before 1970, by type and time")
    func moments() throws {
        #expect(try moments() == [-3003, -2002, -1001, 0, 1001, 2002, 3003])
        #expect(try moments("run") == [-3003, -2002, -1001, 0, 1001])
        #expect(try moments("walk", since: 2002, until: 3003) == [2002])
        #expect(try moments(since: -1001, until: 1001) == [-1001, 0])
        #expect(try moments(since: 0) == [0, 1001, 2002, 3003])
        #expect(try moments(until: -1001) == [-3003, -2002])
        #expect(try moments("swim") == [])
    }

    @Test("what the taker throws ends the reading, and comes out as it is")
    func stopping() throws {
        struct Enough: Error {}
        var count = 0
        #expect(throws: Enough.self) {
            try repository.forEachMomentAndDay(matching: EventFilter()) { _, _ in
                count += 1
                if count == 2 { throw Enough() }
            }
        }
        #expect(throws: Enough.self) {
            try repository.forEachNumber(of: "km", matching: filter("run")) { _, _, _ in throw Enough() }
        }
        #expect(count == 2)
        #expect(try moments().count == 7)
    }

    @Test("all-day events are told apart")
    func days() throws {
        var found: [Int64: Bool] = [:]
        try repository.forEachMomentAndDay(matching: filter("run", -2002)) {
            found[$0.milliseconds] = $1
        }
        #expect(found == [-2002: true, -1001: false, 0: true, 1001: false])
    }

    @Test("the values of a property are its numbers and durations, whatever its key")
    func numbers() throws {
        #expect(try numbers("km") == [-3003: 7.5, -2002: 4])
        #expect(try numbers("rest") == [-1001: 90])
        #expect(try numbers("k.\"m") == [-2002: 1])
        #expect(try numbers("km", "walk") == [:])
        #expect(try numbers("km", since: -2002) == [-2002: 4])
    }

    @Test("the values of a property are measured and put together under any spelling of its key")
    func spellings() throws {
        let events = ["KM", "\u{FF4B}m", "K.\"M"].enumerated().map { number, key in
            Event(
                id: "s\(number)", eventTypeId: "row", timestamp: Timestamp(milliseconds: 10_000 + Int64(number)),
                properties: [key: .number(Double(number))])
        }
        try store.saving { store in for event in events { try store.upsert(LocalRecord(event)) } }
        #expect(try numbers("km", "row") == [10_000: 0, 10_001: 1])
        #expect(try numbers("k.\"m", "row") == [10_002: 2])
        #expect(try repository.span(of: .number(key: "km"), matching: filter("row"))?.count == 2)
        let groups = try repository.groups(by: "km", measuring: .all, matching: filter("row"))
        #expect(Set(groups.map(\.value)) == [.number(0), .number(1), nil])
    }

    @Test("lengths are those of events with an end and a time of day, by type and time of the start")
    func lengths() throws {
        let store = try TemporaryStore()
        let spans: [(type: String, start: Int64, end: Int64?, isAllDay: Bool)] = [
            ("run", 0, 90_500, false), ("run", 5000, nil, false), ("run", 6000, 7000, true),
            ("walk", 1000, 1000, false), ("run", -3000, 0, false),
        ]
        let events = spans.enumerated().map { number, span in
            Event(
                id: "n\(number)", eventTypeId: span.type, timestamp: Timestamp(milliseconds: span.start),
                isAllDay: span.isAllDay, endDate: span.end.map(Timestamp.init(milliseconds:)))
        }
        try store.saving { store in for event in events { try store.upsert(LocalRecord(event)) } }
        let repository = store.factory.makeRepository()
        func seconds(_ type: String? = nil, since: Int64? = nil, until: Int64? = nil) throws -> [Int64: Double] {
            var found: [Int64: Double] = [:]
            try repository.forEachLength(matching: filter(type, since, until)) { found[$0.milliseconds] = $1 }
            return found
        }
        #expect(try seconds() == [0: 90.5, 1000: 0, -3000: 3])
        #expect(try seconds("run") == [0: 90.5, -3000: 3])
        #expect(try seconds(since: 0) == [0: 90.5, 1000: 0])
        #expect(try seconds("run", until: 0) == [-3000: 3])
    }

    @Test("a span counts events of a choice, from the first to the last")
    func spans() throws {
        func span(_ part: EventSpan.Part, _ type: String? = nil) throws -> [Int64]? {
            try repository.span(of: part, matching: filter(type)).map {
                [Int64($0.count), $0.first.milliseconds, $0.last.milliseconds]
            }
        }
        #expect(try span(.all) == [7, -3003, 3003])
        #expect(try span(.all, "walk") == [2, 2002, 3003])
        #expect(try span(.all, "swim") == nil)
        #expect(try span(.number(key: "km"), "run") == [2, -3003, -2002])
        #expect(try span(.number(key: "km"), "walk") == nil)
        #expect(try span(.length) == nil)
    }

    @Test("a filter's condition counts, beside type and time")
    func conditions() throws {
        let long = EventFilter(where: .property(key: "km", .number(.atLeast, 4)))
        var found: [Int64] = []
        try repository.forEachMomentAndDay(matching: long) { moment, _ in found.append(moment.milliseconds) }
        #expect(found.sorted() == [-3003, -2002])
        #expect(try repository.span(of: .number(key: "k.\"m"), matching: long)?.count == 1)
    }

    @Test("events are put together by the values of a property, and what is measured of each comes with them")
    func groups() throws {
        func counts(_ part: EventSpan.Part) throws -> [PropertyValue?: Int] {
            let groups = try repository.groups(by: "km", measuring: part, matching: EventFilter())
            return Dictionary(groups.map { ($0.value, $0.count) }, uniquingKeysWith: +)
        }
        #expect(
            try counts(.all) == [
                .number(7.5): 1, .number(4): 1, nil: 2, .text("12"): 1,
                .other(type: PropertyType(rawValue: "weight"), value: .integer(3)): 1,
                .other(type: .number, value: .string("9")): 1,
            ])
        #expect(try counts(.number(key: "rest")) == [nil: 1])
        let rest = try repository.groups(
            by: "km", measuring: .number(key: "rest"), keepsValues: true, matching: filter())
        #expect(rest.map { $0.totals.value(.median) } == [90])
    }

    @Test("the types in use are those that have events")
    func types() throws {
        #expect(try repository.typesInUse() == ["run", "walk"])
        #expect(try TemporaryStore().factory.makeRepository().typesInUse() == [])
    }
}
