import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// The events of several days, day by day, with the number of events of each type.
@MainActor
struct DayReport {
    let context: CommandContext
    let shape: EventShape

    /// Writes the events of consecutive days, oldest first. An event of several days is on each of its days, unless it
    /// has a time of day and began more than ``LaterDays/mostDays`` days before the first day.
    ///
    /// Days without events are shown up to today. If all days are in the future and have no events, a line says so.
    ///
    /// - Parameter showsTimers: Whether running timers are shown.
    func write(_ first: CivilTime, days: Int, query: EventQuery, showsTimers: Bool = false) throws {
        let zone = context.process.zone
        let start = zone.moment(first)
        var filter = query.filter
        filter.order = .oldestFirst
        var lasting = filter
        lasting.lastingAt = start
        // An event that ends at midnight is not on the day that begins then.
        let ending = EventInterval(since: start.advanced(byMilliseconds: 1))
        let earliest = zone.moment(first.advanced(byDays: -LaterDays.mostDays))
        let goingOn = filter.and(
            .all([.not(.allDay), .began(EventInterval(since: earliest, until: start)), .ended(ending)]))
        let end = zone.moment(first.advanced(byDays: days))
        filter = filter.and(.began(EventInterval(since: start, until: end).byDays(in: zone)))
        let printer = EventPrinter(context: context, shape: shape)
        let filters = [lasting, goingOn, filter]
        if try printer.writeForPrograms(filters) { return }
        let screen = shape.screen(in: context)
        let text = try EventText(context: context)
        var pages = DayPages(first: first, days: days, listing: DayListing(text, screen, filter))
        var counts: [String: Int] = [:]
        let timers = try showsTimers ? RunningTimer.all(in: context, matching: query.filter) : []
        try printer.paged(screen) { output in
            try printer.forEachInOrder(filters) { record in
                counts[record.entity.eventTypeId, default: 0] += 1
                for line in pages.lines(record, zone) { try output.line(line) }
            }
            let today = zone.civil(context.now).startOfDay
            for line in pages.end(today: min(today.dayNumber, first.dayNumber + days - 1)) { try output.line(line) }
            if counts.isEmpty, first.dayNumber > today.dayNumber {
                for line in notBegun(first, screen) { try output.line(line) }
            }
            if counts.isEmpty && timers.isEmpty { return }
            try output.line("")
            if !counts.isEmpty { for line in summary(counts, text, screen) { try output.line(line) } }
            for timer in timers { try output.line(running(timer, screen)) }
        }
        if counts.isEmpty { try context.remarkBeforeFirstSync() }
    }

    /// The line for a week in the future without events; otherwise the output would be empty.
    private func notBegun(_ first: CivilTime, _ screen: Screen) -> [String] {
        let text = "no events: the week of \(first.dayText) is in the future"
        return TextWrap.lines(text, columns: screen.width).map { screen.style.faint($0) }
    }

    /// `running: run since 2026-11-20 09:15 (1h 5m)`.
    private func running(_ timer: RunningTimer, _ screen: Screen) -> String {
        var line = LineBuilder(screen)
        line.add("running: \(timer.text(zone: context.process.zone, now: context.now))")
        return line.line
    }

    /// `5 events: coffee 3, run 2`, the most frequent type first.
    private func summary(_ counts: [String: Int], _ text: EventText, _ screen: Screen) -> [String] {
        let total = counts.values.reduce(0, +)
        let types = counts.map { (name: text.typeName(id: $0.key), count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        let list = types.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        let line = "\(counted(total, "event")): \(list)"
        return screen.limit.map { TextWrap.lines(line, columns: $0) } ?? [line]
    }
}

/// The days of a report in their order, including days without events.
@MainActor
private struct DayPages {
    let first: CivilTime
    let days: Int
    var listing: DayListing
    /// The days that were shown.
    private var begun = 0
    /// The events that continue on later days, with the index of their last day.
    private var lasting: [(record: LocalRecord<Event>, last: Int)] = []

    init(first: CivilTime, days: Int, listing: DayListing) {
        self.first = first
        self.days = days
        self.listing = listing
    }

    /// The lines of an event, after those of earlier days.
    mutating func lines(_ record: LocalRecord<Event>, _ zone: LocalZone) -> [String] {
        let place = zone.firstDay(of: record.entity).daysSince1970 - first.dayNumber
        let last = zone.days(of: record.entity).upperBound.daysSince1970 - first.dayNumber
        if last > place { lasting.append((record, min(last, days - 1))) }
        // An event that began earlier is shown on the first day.
        guard place >= 0 else { return [] }
        return begin(upTo: place + 1, besides: record.id) + listing.lines(record, on: first.advanced(byDays: place))
    }

    /// The lines of the remaining days: up to today, or up to the end of an event.
    mutating func end(today: Int) -> [String] {
        begin(upTo: max(today - first.dayNumber + 1, (lasting.map(\.last).max() ?? -1) + 1), besides: nil)
    }

    /// The headings of days, with the events that continue on them.
    ///
    /// - Parameter id: An event that begins on the last of these days, so that the day counts as one with events.
    private mutating func begin(upTo place: Int, besides id: String?) -> [String] {
        var lines: [String] = []
        while begun < place {
            let day = first.advanced(byDays: begun)
            let present = lasting.filter { $0.last >= begun && $0.record.id != id }
            let isLast = begun == place - 1
            begun += 1
            lines += listing.heading(day)
            lines += present.flatMap { listing.lines($0.record, on: day) }
            if present.isEmpty, id == nil || !isLast { lines.append(listing.nothing()) }
        }
        return lines
    }
}
