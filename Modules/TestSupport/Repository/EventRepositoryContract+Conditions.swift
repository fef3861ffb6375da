import TrendyDomain

extension EventRepositoryContract {
    static let conditionChecks = [
        Check("each condition, and its opposite, selects the events that meet it, and no others") { make in
            let records = valuedRecords()
            let repository = try await make(records)
            let all = records.map(\.id)
            for (condition, found) in conditions() {
                try await expect(repository, condition, found)
                try await expect(repository, .not(condition), all.filter { !found.contains($0) })
            }
        },
        Check("conditions go together by all, any and not, whatever their depth") { make in
            let repository = try await make(valuedRecords())
            let (run, large) = (EventCondition.type(in: ["run"]), property("size", "large"))
            let cases: [(EventCondition, [String])] = [
                (.all([]), ["a", "b", "c", "d", "e", "f"]), (.any([]), []),
                (.not(.any([])), ["a", "b", "c", "d", "e", "f"]),
                (.all([run, .property(key: "km", .number(.less, 5))]), ["b"]),
                (.any([.all([run, .not(.allDay)]), large]), ["a", "b", "d"]),
                (.not(.any([run, large])), ["e", "f"]), (.all([.not(run), .not(large)]), ["e", "f"]),
                (
                    .not(.all([run, .any([.allDay, .not(.property(key: "km", .isPresent))])])),
                    ["a", "b", "d", "e", "f"]
                ),
            ]
            for (condition, found) in cases { try await expect(repository, condition, found) }
        },
        Check("a property is found under any spelling of its key, and first under the one that is asked for") { make in
            let records = spelledRecords()
            let repository = try await make(records)
            let all = records.map(\.id)
            for (condition, found) in spelledConditions() {
                try await expect(repository, condition, found)
                try await expect(repository, .not(condition), all.filter { !found.contains($0) })
            }
            let falling = EventFilter(order: .property(key: "size", descending: true), limit: 5)
            let first = try await repository.fetch(matching: falling).map(\.id)
            try expectEqual(first, ["e8", "e3", "e2", "e1", "e0"], "the greatest first")
        },
    ]

    static let orderChecks = [
        Check("events are sorted by the values of a property: numbers, then texts, then events without a value") {
            make in
            let values: [(id: String, value: PropertyValue?)] = [
                ("a", .number(10)), ("b", nil), ("c", .text("Beta")), ("d", .number(-2.5)), ("e", .text("alpha")),
                ("f", .boolean(true)), ("g", .number(10)), ("h", .select("beta")), ("i", .boolean(false)),
                ("j", .other(type: .text, value: .array([.integer(1)]))),
            ]
            let records = values.enumerated().map { number, value in
                var record = record(value.id, at: Int64(number))
                record.entity.properties = value.value.map { ["x": $0] } ?? [:]
                return record
            }
            let repository = try await make(records)
            let rising = EventFilter(order: .property(key: "x", descending: false))
            let ids = try await repository.fetch(matching: rising).map(\.id)
            try expectEqual(ids, ["d", "i", "f", "g", "a", "e", "h", "c", "j", "b"], "the smallest first")
            let falling = EventFilter(order: .property(key: "x", descending: true), limit: 5)
            let first = try await repository.fetch(matching: falling).map(\.id)
            try expectEqual(first, ["h", "c", "e", "g", "a"], "the greatest first")
        },
        Check("events are sorted by their length, those without one last") { make in
            let lengths: [Int64?] = [5, nil, 50, 0, -3]
            let records = lengths.enumerated().map { number, length in
                var record = record("e\(number)", at: Int64(number) * 100)
                record.entity.endDate = length.map { record.entity.timestamp.advanced(byMilliseconds: $0) }
                return record
            }
            let repository = try await make(records)
            let rising = try await repository.fetch(matching: EventFilter(order: .length(descending: false)))
            try expectEqual(rising.map(\.id), ["e3", "e0", "e2", "e4", "e1"], "the shortest first")
            let falling = try await repository.fetch(matching: EventFilter(order: .length(descending: true)))
            try expectEqual(falling.map(\.id), ["e2", "e0", "e3", "e4", "e1"], "the longest first")
        },
    ]

    private static func expect(
        _ repository: any EventRepositoryProtocol, _ condition: EventCondition, _ found: [String]
    ) async throws {
        let filter = EventFilter(where: condition, order: .oldestFirst)
        try expectEqual(try await repository.fetch(matching: filter).map(\.id), found, "\(condition)")
        try expectEqual(try await repository.count(matching: filter), found.count, "the count of \(condition)")
    }

    private static func property(_ key: String, _ text: String) -> EventCondition {
        .property(key: key, .text(TextSearch(text).map(TextTest.equals) ?? .isMissing))
    }

    /// Events from "a" to "f", a second apart, that have much of what conditions look at.
    private static func valuedRecords() -> [LocalRecord<Event>] {
        let day = { (number: Int) in PropertyValue.day(CalendarDay(daysSince1970: number)) }
        let properties: [[String: PropertyValue]] = [
            [
                "km": .number(5), "size": .select("small"), "due": day(10), "fine": .boolean(true),
                "k\"/\\m": .number(1),
            ],
            ["km": .number(4.5), "text": .text("Été 100%"), "due": .date(Timestamp(milliseconds: 864_000_123))],
            ["rest": .duration(90), "km": .text("5"), "due": .text("soon")],
            ["size": .text("LARGE"), "fine": .boolean(false), "due": day(11)],
            ["km": .other(type: PropertyType(rawValue: "weight"), value: .integer(5)), "größe": .number(2)],
            ["none": .other(type: .text, value: .null), "2": .number(3)],
        ]
        let notes = ["at #Park, #café", "nothing marked: a#park #parking", nil, "", "#été now", "x #park-run"]
        return properties.enumerated().map { number, properties in
            var event = Event(
                id: ["a", "b", "c", "d", "e", "f"][number], eventTypeId: number < 3 ? "run" : "walk",
                timestamp: Timestamp(milliseconds: Int64(number) * 1000), notes: notes[number],
                isAllDay: number == 2, properties: properties)
            if number < 3 { event.endDate = event.timestamp.advanced(byMilliseconds: 90_000) }
            if number > 3 { event.locationName = "Café" }
            event.geofenceId = number == 0 ? "home" : nil
            return LocalRecord(event, syncStatus: number == 5 ? .failed : .synced)
        }
    }

    /// Events from "e0" to "e9" that spell the keys of their properties differently.
    private static func spelledRecords() -> [LocalRecord<Event>] {
        let properties: [[String: PropertyValue]] = [
            ["size": .number(1)], ["Size": .number(2)], ["\u{FF33}ize": .number(3)],
            ["SIZE": .number(5), "size": .number(4)], ["Gro\u{308}\u{DF}e": .number(6)],
            ["Gr\u{F6}\u{DF}e": .number(7)], [:],
            [
                "sizes": .number(8), "Mood": .text("Fine"), "Wet": .boolean(true), "Rest": .duration(90),
                "Due": .day(CalendarDay(daysSince1970: 10)),
            ],
            ["SIZE": .number(9), "sIZE": .number(10)], ["K\"/\\M": .number(11), "two  words": .number(12)],
        ]
        return properties.enumerated().map { number, properties in
            var record = record("e\(number)", at: Int64(number))
            record.entity.properties = properties
            return record
        }
    }

    private static func spelledConditions() -> [(EventCondition, [String])] {
        let number = { (key: String, comparison: NumberComparison, value: Double) in
            EventCondition.property(key: key, .number(comparison, value))
        }
        let due = DayInterval(
            since: CalendarDay(daysSince1970: 10), until: CalendarDay(daysSince1970: 11), in: FixedUTCOffset())
        return [
            (number("size", .more, 0), ["e0", "e1", "e2", "e3", "e8"]),
            (.property(key: "size", .isPresent), ["e0", "e1", "e2", "e3", "e8"]),
            (number("size", .equal, 4), ["e3"]), (number("size", .equal, 5), []), (number("SIZE", .equal, 5), ["e3"]),
            // Where none is spelt so, the first key in the order of bytes counts.
            (number("Size", .equal, 5), ["e3"]), (number("Size", .equal, 9), ["e8"]), (number("Size", .equal, 10), []),
            (number("sIZE", .equal, 10), ["e8"]), (number("SIZES", .equal, 8), ["e7"]),
            (number("GR\u{D6}SSE", .more, 0), ["e4", "e5"]), (number("Gr\u{F6}\u{DF}e", .equal, 6), ["e4"]),
            (number("Gro\u{308}\u{DF}e", .equal, 7), ["e5"]), (number("k\"/\\m", .equal, 11), ["e9"]),
            (number("two words", .equal, 12), ["e9"]), (number("rest", .atLeast, 90), ["e7"]),
            (property("mood", "fine"), ["e7"]), (.property(key: "wet", .boolean(true)), ["e7"]),
            (.property(key: "due", .date(due)), ["e7"]), (.property(key: "siz", .isPresent), []),
        ]
    }

    private static func conditions() -> [(EventCondition, [String])] {
        let moment = { (milliseconds: Int64) in Timestamp(milliseconds: milliseconds) }
        let single: [(EventCondition, [String])] = [
            (.type(in: ["run"]), ["a", "b", "c"]), (.type(in: []), []),
            (.type(in: ["run", "walk"]), ["a", "b", "c", "d", "e", "f"]),
            (.began(EventInterval(since: moment(1000), until: moment(4000))), ["b", "c", "d"]),
            (.ended(EventInterval(since: moment(91_000))), ["b", "c"]), (.ended(EventInterval()), ["a", "b", "c"]),
            (.lasted(.equal, seconds: 90), ["a", "b"]), (.lasted(.less, seconds: 90), []),
            (.allDay, ["c"]), (.status(.failed), ["f"]), (.id("d"), ["d"]),
            (.place(id: "home"), ["a"]), (.place(id: nil), ["b", "c", "d", "e", "f"]),
            (.text([.notes], .isMissing), ["c", "d"]), (.text([.location], .isMissing), ["a", "b", "c", "d"]),
        ]
        return single + textConditions() + propertyConditions()
    }

    private static func textConditions() -> [(EventCondition, [String])] {
        let search = { (text: String) in TextSearch(lowercased: text.lowercased()) }
        let tag = { (word: String) in Hashtag(word).map(EventCondition.hashtag) ?? .any([]) }
        return [
            (.text([.notes], .contains(search("MARKED"))), ["b"]),
            (.text([.notes], .equals(search("x #PARK-run"))), ["f"]),
            (.text([.location], .equals(search("cafe\u{301}"))), ["e", "f"]),
            (.text([.location], .equals(search("caf"))), []),
            (.text([.notes, .location], .contains(search("café"))), ["a", "e", "f"]),
            (tag("park"), ["a"]), (tag("#PARK"), ["a"]), (tag("parking"), ["b"]), (tag("ÉTÉ"), ["e"]),
            (tag("cafe"), []),
            (tag("cafe\u{301}"), ["a"]), (tag("park-run"), ["f"]), (tag("par"), []),
        ]
    }

    private static func propertyConditions() -> [(EventCondition, [String])] {
        let number = { (key: String, comparison: NumberComparison, value: Double) in
            EventCondition.property(key: key, .number(comparison, value))
        }
        let contains = { (key: String, text: String) in
            EventCondition.property(key: key, .text(TextSearch(text).map(TextTest.contains) ?? .isMissing))
        }
        let due = { (since: Int?, until: Int?) in
            let day = { (number: Int) in CalendarDay(daysSince1970: number) }
            let interval = DayInterval(since: since.map(day), until: until.map(day), in: FixedUTCOffset())
            return EventCondition.property(key: "due", .date(interval))
        }
        return [
            (number("km", .equal, 5), ["a", "e"]), (number("km", .less, 5), ["b"]),
            (number("km", .atMost, 5), ["a", "b", "e"]),
            (number("km", .more, 4.5), ["a", "e"]), (number("km", .atLeast, 4.5), ["a", "b", "e"]),
            (number("rest", .atLeast, 90), ["c"]), (number("größe", .equal, 2), ["e"]), (number("2", .more, 0), ["f"]),
            (number("k\"/\\m", .equal, 1), ["a"]), (number("fine", .equal, 1), []), (number("", .equal, 1), []),
            (property("size", "large"), ["d"]), (property("km", "5"), ["c"]), (property("text", "été 100%"), ["b"]),
            (contains("text", "00%"), ["b"]), (contains("text", "ÉT"), ["b"]), (contains("size", "a"), ["a", "d"]),
            (.property(key: "fine", .boolean(true)), ["a"]), (.property(key: "fine", .boolean(false)), ["d"]),
            (.property(key: "km", .isPresent), ["a", "b", "c", "e"]), (.property(key: "none", .isPresent), []),
            (due(10, 11), ["a", "b"]), (due(11, nil), ["d"]), (due(nil, 11), ["a", "b"]),
            (due(nil, nil), ["a", "b", "d"]),
        ]
    }
}
