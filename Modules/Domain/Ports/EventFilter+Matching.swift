extension EventFilter {
    /// True where the record meets every condition; order and limit do not count.
    public func matches(_ record: LocalRecord<Event>) -> Bool {
        let event = record.entity
        if let eventTypeIds, !eventTypeIds.contains(event.eventTypeId) { return false }
        guard interval.includes(event.timestamp, isAllDay: event.isAllDay), isLasting(event) else { return false }
        return condition.isMet(by: record)
    }

    /// Whether an event still goes on at ``lastingAt``, if that is set.
    private func isLasting(_ event: Event) -> Bool {
        guard let day = lastingDay else { return true }
        guard event.isAllDay, let end = event.endDate else { return false }
        return !day.isReached(by: event.timestamp) && day.isReached(by: end)
    }

    /// The records that match, in the filter's order, up to its limit.
    public func selection(from records: some Sequence<LocalRecord<Event>>) -> [LocalRecord<Event>] {
        let oldestFirst = records.filter(matches).sorted { first, second in
            let (earlier, later) = (first.entity.timestamp, second.entity.timestamp)
            return earlier == later ? first.id < second.id : earlier < later
        }
        let ordered = ordered(oldestFirst)
        return limit.map { Array(ordered.prefix(max(0, $0))) } ?? ordered
    }

    private func ordered(_ oldestFirst: [LocalRecord<Event>]) -> [LocalRecord<Event>] {
        switch order {
        case .oldestFirst: oldestFirst
        case .newestFirst: oldestFirst.reversed()
        case .property(let key, let descending):
            Self.sorted(oldestFirst.reversed(), descending) { event in
                event.properties[property: key].flatMap { SortedValue($0) }
            }
        case .length(let descending):
            Self.sorted(oldestFirst.reversed(), descending) { $0.length.map { SortedValue(number: $0) } }
        }
    }

    private static func sorted(
        _ records: [LocalRecord<Event>], _ descending: Bool, by value: (Event) -> SortedValue?
    ) -> [LocalRecord<Event>] {
        let valued = records.enumerated().map { (place: $0, record: $1, value: value($1.entity)) }
        return valued.sorted { first, second in
            guard let one = first.value, let other = second.value, one != other else {
                let isSame = (first.value == nil) == (second.value == nil)
                return isSame ? first.place < second.place : first.value != nil
            }
            return descending ? one > other : one < other
        }
        .map(\.record)
    }
}

extension Event {
    /// How many seconds came between start and end; nil where there is no end or no time of day.
    public var length: Double? {
        guard !isAllDay, let endDate, endDate >= timestamp else { return nil }
        return Double(endDate.milliseconds - timestamp.milliseconds) / 1000
    }
}

/// A value as events are sorted by it: numbers and truth values before texts, whose ASCII letters count as small ones.
private struct SortedValue: Comparable {
    private let number: Double?
    private let text: [UInt8]

    init(number: Double) {
        self.number = number
        text = []
    }

    init?(_ value: PropertyValue) {
        text = (value.value.stringValue ?? "").utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        switch value.value {
        case .string: number = nil
        case .boolean(let flag): number = flag ? 1 : 0
        case let other:
            guard let double = other.doubleValue else { return nil }
            number = double
        }
    }

    static func < (first: SortedValue, second: SortedValue) -> Bool {
        if let one = first.number, let other = second.number { return one < other }
        if first.number != nil || second.number != nil { return first.number != nil }
        return first.text.lexicographicallyPrecedes(second.text)
    }
}

extension EventCondition {
    /// True where a record meets the condition.
    func isMet(by record: LocalRecord<Event>) -> Bool {
        let event = record.entity
        switch self {
        case .all(let parts): return parts.allSatisfy { $0.isMet(by: record) }
        case .any(let parts): return parts.contains { $0.isMet(by: record) }
        case .not(let part): return !part.isMet(by: record)
        case .type(let ids): return ids.contains(event.eventTypeId)
        case .began(let interval): return interval.includes(event.timestamp, isAllDay: event.isAllDay)
        case .ended(let interval): return event.endDate.map { interval.includes($0, isAllDay: event.isAllDay) } ?? false
        case .lasted(let comparison, let seconds):
            return event.length.map { comparison.isMet(by: $0, seconds) } ?? false
        case .text(let texts, let test): return texts.contains { test.isMet(by: $0.text(of: event)) }
        case .hashtag(let tag): return event.notes.map(tag.isFound) ?? false
        case .place(let id): return event.geofenceId == id
        case .property(let key, let test): return event.properties[property: key].map(test.isMet) ?? false
        case .allDay: return event.isAllDay
        case .status(let status): return record.syncStatus == status
        case .id(let id): return event.id == id
        }
    }
}
