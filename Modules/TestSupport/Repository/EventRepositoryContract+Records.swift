import TrendyDomain

extension EventRepositoryContract {
    static let textChecks = [
        Check("a text is found whatever its case and script, and its wildcards and quotes are plain text") { make in
            let notes = [
                "Straße", "žluťoučký kůň", "50% off", "a_b", "C:\\dir", "it's", "\"; drop table event; --", "ПРИВЕТ",
                "cafe\u{301}", "ok 😀", "has\0nul", "3 \u{212A}", nil,
            ]
            let cases: [(text: String, found: [Int])] = [
                ("straße", [0]), ("STRASSE", []), ("ŽLUŤOUČKÝ", [1]), ("%", [2]), ("_", [3]), ("\\", [4]), ("'", [5]),
                ("\"; DROP TABLE event; --", [6]), ("привет", [7]), ("CAFÉ", [8]), ("CAFE", [8]), ("x", []),
                ("😀", [9]), ("nul", [10]), ("NUL", [10]), ("HAS\0N", [10]), ("3 k", []), ("\n it's \t", [5]),
            ]
            let repository = try await make(notes.enumerated().map { record("n\($0)", at: Int64($0), notes: $1) })
            for (text, found) in cases {
                let filter = EventFilter(where: .search(text), order: .oldestFirst)
                let ids = try await repository.fetch(matching: filter).map(\.id)
                try expectEqual(ids, found.map { "n\($0)" }, "a search for '\(text)'")
                try expectEqual(try await repository.count(matching: filter), found.count, "the count of '\(text)'")
            }
            try expectEqual(try await repository.count(matching: EventFilter()), notes.count, "all of them")
        },
        Check("a text is looked for in notes, original title and location name, and nowhere else") { make in
            func event(_ id: String, _ change: (inout Event) -> Void) -> LocalRecord<Event> {
                var event = Event(id: id, eventTypeId: "t", timestamp: Timestamp(milliseconds: 0))
                change(&event)
                return LocalRecord(event)
            }
            let repository = try await make([
                event("a") { $0.notes = "needle" }, event("b") { $0.originalTitle = "needle" },
                event("c") { $0.locationName = "needle" }, event("d") { $0.externalId = "needle" },
                event("needle") { $0.healthKitCategory = "needle" },
            ])
            let filter = EventFilter(where: .search("needle"), order: .oldestFirst)
            try expectEqual(try await repository.fetch(matching: filter).map(\.id), ["a", "b", "c"], "the events")
        },
    ]

    static let recordChecks = [
        Check("fetched records carry all their fields, the server's and the status") { make in
            let record = LocalRecord(
                Event(
                    id: "e", eventTypeId: "t", timestamp: Timestamp(milliseconds: 5), isAllDay: true,
                    sourceType: .healthKit, properties: ["a": .number(1)]),
                server: ServerFields(updatedAt: Timestamp(milliseconds: 9)), syncStatus: .failed)
            try expectEqual(try await make([record]).fetchAll(), [record], "the record")
        },
        Check("a repository without events answers with nothing") { make in
            let repository = try await make([])
            try expectEqual(try await repository.fetchAll(), [], "the events")
            try expectEqual(try await repository.count(matching: EventFilter()), 0, "the count")
            try expectEqual(try await repository.countsByType(matching: EventFilter()), [:], "the counts by type")
            try expectEqual(try await repository.ids(endingWith: "a", limit: 1), [], "the ids")
        },
        Check("ids are found whole or by their end, in order, in either case, up to the limit") { make in
            let ids = [
                "019ab000-0000-7000-8000-00000000abcd", "019ab000-0000-7000-8000-00000001abcd",
                "019ab000-0000-7000-8000-000000020bcd", "019AB000-0000-7000-8000-0000000FFFFF",
            ]
            let repository = try await make([2, 0, 3, 1].map { record(ids[$0], at: 0) })
            let cases: [(end: String, limit: Int, found: [Int])] = [
                ("bcd", 10, [0, 1, 2]), ("bcd", 2, [0, 1]), ("ABCD", 10, [0, 1]), ("1abcd", 10, [1]),
                ("00000000ABCD", 10, [0]), ("01abcd", 10, [1]), (ids[1], 10, [1]), (ids[1].uppercased(), 10, [1]),
                ("fffff", 10, [3]), ("0fffff", 10, [3]), ("0" + ids[1], 10, []), ("", 10, []), ("%", 10, []),
                ("abc_", 10, []), ("bcd", 0, []),
            ]
            for (end, limit, found) in cases {
                let answer = try await repository.ids(endingWith: end, limit: limit)
                try expectEqual(answer, found.map { ids[$0] }, "at most \(limit) ids ending with '\(end)'")
            }
        },
    ]
}
