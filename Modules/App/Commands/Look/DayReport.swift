import TrendyDomain

/// The events of some days, day by day, and how many of each type there were.
@MainActor
struct DayReport {
    let context: CommandContext
    let shape: EventShape

    /// Writes the events of so many days from one on, oldest first.
    ///
    /// Days without events are named up to today; those to come are not.
    func write(_ first: CivilTime, days: Int, types: [String]) throws {
        let zone = context.process.zone
        let filter = EventFilter(
            eventTypeIds: types.isEmpty ? nil : Set(try types.map { try context.lookup.type($0).id }),
            since: zone.moment(first), until: zone.moment(first.advanced(byDays: days)), order: .oldestFirst)
        let printer = EventPrinter(context: context, shape: shape)
        if try printer.writeForPrograms(filter) { return }
        let screen = shape.screen(in: context)
        let text = try EventText(context: context)
        var pages = DayPages(first: first, listing: DayListing(text, screen, filter))
        var counts: [String: Int] = [:]
        try printer.paged(screen) { output in
            try printer.forEach(filter) { record in
                counts[record.entity.eventTypeId, default: 0] += 1
                for line in pages.lines(record, zone) { try output.line(line) }
            }
            let today = zone.civil(context.now).startOfDay
            for line in pages.end(today: min(today.dayNumber, first.dayNumber + days - 1)) { try output.line(line) }
            if counts.isEmpty { return }
            try output.line("")
            try output.line(summary(counts, text, screen))
        }
    }

    /// `5 events: coffee 3, run 2`, the most frequent type first.
    private func summary(_ counts: [String: Int], _ text: EventText, _ screen: Screen) -> String {
        let total = counts.values.reduce(0, +)
        let types = counts.map { (name: text.typeName(id: $0.key), count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        var line = LineBuilder(screen)
        let list = types.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        line.add("\(counted(total, "event")): \(list)")
        return line.line
    }
}

/// The days of a report one after another, those without events included.
@MainActor
private struct DayPages {
    let first: CivilTime
    var listing: DayListing
    /// The days that were begun.
    private var begun = 0

    init(first: CivilTime, listing: DayListing) {
        self.first = first
        self.listing = listing
    }

    /// The lines that an event adds, after those of the empty days before it.
    mutating func lines(_ record: LocalRecord<Event>, _ zone: LocalZone) -> [String] {
        let place = zone.civil(record.entity.timestamp).dayNumber - first.dayNumber
        let before = emptyDays(upTo: place)
        begun = max(begun, place + 1)
        return before + listing.lines(record)
    }

    /// The lines of the empty days that are left, the last one included.
    mutating func end(today: Int) -> [String] {
        emptyDays(upTo: today - first.dayNumber + 1)
    }

    private mutating func emptyDays(upTo place: Int) -> [String] {
        var lines: [String] = []
        while begun < place {
            lines += listing.heading(first.advanced(byDays: begun)) + [listing.nothing()]
            begun += 1
        }
        return lines
    }
}
