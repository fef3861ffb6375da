import TrendyDomain

extension EventRepositoryContract {
    static let filterChecks = [
        Check("fetch, count and counts by type agree with the filter's meaning, in every combination") { make in
            let records = mixedRecords()
            let repository = try await make(records)
            let types = Dictionary(records.map { ($0.id, $0.entity.eventTypeId) }, uniquingKeysWith: { $1 })
            for sample in samples() {
                var filter = sample.filter
                let ids = meaning(of: sample, records)
                let counts = Dictionary(ids.compactMap { types[$0] }.map { ($0, 1) }, uniquingKeysWith: +)
                for limit in [nil, 0, 1, 7, -1] {
                    filter.limit = limit
                    let expected = Array(ids.prefix(max(0, limit ?? ids.count)))
                    try expectEqual(try await repository.fetch(matching: filter).map(\.id), expected, "\(filter)")
                    try expectEqual(try await repository.count(matching: filter), ids.count, "the count of \(filter)")
                    let found = try await repository.countsByType(matching: filter)
                    try expectEqual(found, counts, "the counts by type of \(filter)")
                }
            }
        },
        Check("an interval has its beginning and not its end") { make in
            let repository = try await make((0..<4).map { record("e\($0)", at: Int64($0)) })
            let filter = EventFilter(since: Timestamp(milliseconds: 1), until: Timestamp(milliseconds: 3))
            try expectEqual(try await repository.fetch(matching: filter).map(\.id), ["e2", "e1"], "from 1 to 3")
        },
        Check("what lasts on a day are events of whole days that began before it and end on it or later") { make in
            let day: Int64 = 86_400_000
            let cases: [(id: String, start: Int64, end: Int64?, isAllDay: Bool)] = [
                ("before", 1, 4, true), ("until", 1, 5, true), ("across", 2, 9, true), ("from", 5, 9, true),
                ("one", 1, nil, true), ("hours", 1, 9, false),
            ]
            let repository = try await make(
                cases.map { entry in
                    var lasting = record(entry.id, at: entry.start * day)
                    lasting.entity.isAllDay = entry.isAllDay
                    lasting.entity.endDate = entry.end.map { Timestamp(milliseconds: $0 * day) }
                    return lasting
                })
            for types in [nil, ["t"], ["t", "u"]] as [Set<String>?] {
                let plain = EventFilter(
                    eventTypeIds: types, lastingAt: Timestamp(milliseconds: 5 * day), order: .oldestFirst)
                for filter in [plain, plain.byDays(in: FixedUTCOffset())] {
                    let found = try await repository.fetch(matching: filter).map(\.id)
                    try expectEqual(found, ["until", "across"], "on the day 5")
                    try expectEqual(try await repository.count(matching: filter), 2, "how many last on the day 5")
                }
            }
        },
        Check("by days, all-day events are found by the day that they have, wherever they were logged") { make in
            let zone = FixedUTCOffset(milliseconds: -5 * 3_600_000)
            let records = daysRecords()
            let repository = try await make(records)
            let start = { (day: Int64) in Timestamp(milliseconds: day * 86_400_000 + 5 * 3_600_000) }
            let day = { (moment: Timestamp, isAllDay: Bool) -> Int in
                if isAllDay { return zone.day(ofAllDay: moment).daysSince1970 }
                return Int((moment.milliseconds + zone.milliseconds) / 86_400_000)
            }
            let inside = EventFilter(since: start(12), until: start(14), order: .oldestFirst).byDays(in: zone)
            let expected = records.filter { (12..<14).contains(day($0.entity.timestamp, $0.entity.isAllDay)) }
            try expectEqual(try await repository.fetch(matching: inside).map(\.id), expected.map(\.id), "two days")
            try expectEqual(try await repository.count(matching: inside), expected.count, "how many in two days")
            let lasting = EventFilter(lastingAt: start(13), order: .oldestFirst).byDays(in: zone)
            let going = records.filter { record in
                guard record.entity.isAllDay, let end = record.entity.endDate else { return false }
                return day(record.entity.timestamp, true) < 13 && day(end, true) >= 13
            }
            try expectEqual(try await repository.fetch(matching: lasting).map(\.id), going.map(\.id), "what goes on")
        },
        Check("of equal times the greater id counts as newer") { make in
            let repository = try await make(["b", "c", "a"].map { record($0, at: 5) })
            try expectEqual(try await repository.fetchAll().map(\.id), ["c", "b", "a"], "newest first")
            let oldest = EventFilter(order: .oldestFirst)
            try expectEqual(try await repository.fetch(matching: oldest).map(\.id), ["a", "b", "c"], "oldest first")
        },
    ]

    static func record(_ id: String, at milliseconds: Int64, notes: String? = nil) -> LocalRecord<Event> {
        LocalRecord(
            Event(id: id, eventTypeId: "t", timestamp: Timestamp(milliseconds: milliseconds), notes: notes))
    }

    /// Events at every hour of some days, some a millisecond later, of whole days and not, with an end and without.
    private static func daysRecords() -> [LocalRecord<Event>] {
        (0..<120).map { number in
            let hour = 10 * 24 + Int64(number)
            var made = record("e\(1000 + number)", at: hour * 3_600_000 + (number % 7 == 0 ? 1 : 0))
            made.entity.isAllDay = number % 4 != 0
            let days = Int64(number % 3)
            if days > 0 { made.entity.endDate = made.entity.timestamp.advanced(byMilliseconds: days * 86_400_000) }
            return made
        }
    }

    /// Events with every combination of a few values of each field that a filter looks at.
    private static func mixedRecords() -> [LocalRecord<Event>] {
        let texts: [String?] = [nil, "Morning run", "ÄRGER 100%", "run_fast"]
        return (0..<240).map { number in
            let event = Event(
                id: "id-\(String(number * 7919 % 1000))-\(number)", eventTypeId: "type\(number % 3)",
                timestamp: Timestamp(milliseconds: Int64(number / 4 * 10)), notes: texts[number % 4],
                originalTitle: texts[number / 4 % 4], locationName: texts[number / 16 % 4])
            return LocalRecord(event, syncStatus: SyncStatus.allCases[number / 5 % 3])
        }
    }

    /// The ids that match, written down once more, apart from ``EventFilter/matches(_:)``.
    private static func meaning(of sample: Sample, _ records: [LocalRecord<Event>]) -> [String] {
        let filter = sample.filter
        let needle = sample.text.map { $0.lowercased().split(separator: " ").joined(separator: " ") } ?? ""
        let matching = records.filter { record in
            let event = record.entity
            let texts = [event.notes, event.originalTitle, event.locationName].compactMap { $0?.lowercased() }
            return filter.eventTypeIds?.contains(event.eventTypeId) ?? true
                && filter.since.map { event.timestamp >= $0 } ?? true
                && filter.until.map { event.timestamp < $0 } ?? true
                && sample.status.map { record.syncStatus == $0 } ?? true
                && (needle.isEmpty || texts.contains { $0.contains(needle) })
        }
        let sorted = matching.sorted { ($0.entity.timestamp, $0.id) < ($1.entity.timestamp, $1.id) }
        return (filter.order == .oldestFirst ? sorted : sorted.reversed()).map(\.id)
    }

    /// A filter by a text and a state of syncing, among others.
    private struct Sample {
        let filter: EventFilter
        let text: String?
        let status: SyncStatus?
    }

    private static func samples() -> [Sample] {
        let types: [Set<String>?] = [nil, [], ["type1"], ["type0", "type2", "none"]]
        let moments = [100, 110, 200].map { Timestamp(milliseconds: $0) }
        let intervals: [(Timestamp?, Timestamp?)] = [
            (nil, nil), (moments[0], nil), (nil, moments[2]), (moments[0], moments[1]),
        ]
        let texts = [nil, "  ", "RUN", " ärger ", "100%", "n_f", "Ärger 100% "]
        var samples: [Sample] = []
        for types in types {
            for (since, until) in intervals {
                for text in texts {
                    for status in [nil, SyncStatus.pending] {
                        let search = text.map(EventCondition.search) ?? .always
                        let filter = EventFilter(
                            eventTypeIds: types, since: since, until: until,
                            where: search.and(status.map(EventCondition.status) ?? .always),
                            order: samples.count % 2 == 0 ? .newestFirst : .oldestFirst)
                        samples.append(Sample(filter: filter, text: text, status: status))
                    }
                }
            }
        }
        return samples
    }
}
