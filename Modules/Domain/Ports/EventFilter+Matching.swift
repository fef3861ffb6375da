extension EventFilter {
    /// True where the record meets every condition; order and limit do not count.
    public func matches(_ record: LocalRecord<Event>) -> Bool {
        let event = record.entity
        if let eventTypeIds, !eventTypeIds.contains(event.eventTypeId) { return false }
        guard includes(event.timestamp, isAllDay: event.isAllDay), isLasting(event) else { return false }
        if let syncStatus, record.syncStatus != syncStatus { return false }
        guard let search = searchText.flatMap(TextSearch.init) else { return true }
        return [event.notes, event.originalTitle, event.locationName].contains { text in
            text.map(search.isFound) ?? false
        }
    }

    /// The records that match, in the filter's order, up to its limit.
    public func selection(from records: some Sequence<LocalRecord<Event>>) -> [LocalRecord<Event>] {
        let oldestFirst = records.filter(matches).sorted { first, second in
            let (earlier, later) = (first.entity.timestamp, second.entity.timestamp)
            return earlier == later ? first.id < second.id : earlier < later
        }
        let ordered = order == .oldestFirst ? oldestFirst : oldestFirst.reversed()
        return limit.map { Array(ordered.prefix(max(0, $0))) } ?? ordered
    }
}
