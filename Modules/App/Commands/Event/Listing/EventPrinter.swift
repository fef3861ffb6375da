import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

/// Writes events in the requested format, one at a time, in constant memory.
@MainActor
struct EventPrinter {
    let context: CommandContext
    var shape: EventShape
    /// The running timers, which the list shows if its filter matches them.
    var timers: [Event] = []

    /// Writes the events that match a filter; by default under the headings of their days.
    ///
    /// - Parameter newest: The limit for people, nil for none; formats for programs have no limit.
    func write(_ filter: EventFilter, newest: Int? = nil) throws {
        if try writeForPrograms([filter]) { return }
        var filter = filter
        if let newest { filter.limit = newest }
        let screen = shape.screen(in: context)
        var listing = DayListing(try EventText(context: context), screen, filter)
        listing.timers = Set(timers.map(\.id))
        var isEmpty = true
        let zone = context.process.zone
        var later = LaterDays()
        if filter.order == .newestFirst { try forEachInOrder([filter]) { later.add($0, zone) } }
        try paged(screen) { output in
            let hasMore = try forEachInOrder([filter]) { record in
                isEmpty = false
                for (day, record) in later.take(downTo: zone.firstDay(of: record.entity)) {
                    for line in listing.lines(record, on: CivilTime(day)) { try output.line(line) }
                }
                for line in listing.lines(record) { try output.line(line) }
            }
            if let newest, hasMore { try output.line(Self.rest(newest, screen)) }
            if isEmpty { try output.line("no events") }
        }
        if isEmpty { try context.remarkBeforeFirstSync() }
    }

    /// The line below the newest events if there are more.
    private static func rest(_ newest: Int, _ screen: Screen) -> String {
        "\n" + screen.style.faint("These are the newest \(newest) events; 'trendy list --all' shows all.")
    }

    /// Writes the events for `--json`, `--csv`, `--format` or `--columns`; false if none of them was given.
    ///
    /// - Parameter filters: The filters, whose events follow each other.
    func writeForPrograms(_ filters: [EventFilter]) throws -> Bool {
        if context.wantsJSON {
            try writeJSON(filters)
        } else if shape.isCSV {
            try writeCSV(filters)
        } else if let format = shape.format {
            try write(filters, EventTemplate(format, keys: try keys()))
        } else if let columns = shape.columns {
            try write(filters, columns: columns)
        } else {
            return false
        }
        return true
    }

    /// Runs a function with an output that uses a pager if needed.
    func paged(_ screen: Screen, _ body: (PagedOutput) throws -> Void) throws {
        let command = shape.skipsPager ? nil : Pager.command(context.process.environment)
        try PagedOutput.with(
            context.output, screen, pager: command, ignoresInterrupts: context.process.listensForSignals, body)
    }

    /// Passes on the events that match the filters, one filter after the other, in the order of the days on which they
    /// are shown.
    ///
    /// - Returns: Whether there are more than the limits of the filters allow.
    @discardableResult
    func forEachInOrder(_ filters: [EventFilter], _ body: (LocalRecord<Event>) throws -> Void) throws -> Bool {
        let repository = try context.root.repository
        var hasMore = false
        for filter in filters {
            for timer in running(filter) { try body(timer) }
            let goesOn = try DayOrder.forEachEvent(matching: filter, of: repository, in: context.process.zone, body)
            hasMore = hasMore || goesOn
        }
        return hasMore
    }

    /// Passes on the events that match the filters, one filter after the other, in the order of their moments.
    private func forEach(_ filters: [EventFilter], _ body: (LocalRecord<Event>) throws -> Void) throws {
        let repository = try context.root.repository
        let zone = context.process.zone
        for filter in filters {
            for timer in running(filter) { try body(timer) }
            try repository.forEachEvent(matching: filter.byDays(in: zone), body)
        }
    }

    private func running(_ filter: EventFilter) -> [LocalRecord<Event>] {
        timers.filter(filter.matches(running:)).reversed().map { LocalRecord($0) }
    }

    private func writeJSON(_ filters: [EventFilter]) throws {
        var array = JSONArrayWriter(output: context.output)
        let lines = try EventLines(context: context)
        try forEach(filters) { try array.add(EventJSON(record: $0, typeName: lines.knownTypeName($0.entity))) }
        try array.end()
    }

    private func writeCSV(_ filters: [EventFilter]) throws {
        var csv = try EventCSV(context: context)
        try context.output.write(csv.header())
        try forEach(filters) { try context.output.write(try csv.row($0)) }
    }

    private func write(_ filters: [EventFilter], _ template: EventTemplate) throws {
        let text = try EventText(context: context, withPlaces: template.needsPlaces)
        try paged(shape.screen(in: context)) { output in
            try forEachInOrder(filters) { try output.line(template.line($0, text)) }
        }
    }

    private func write(_ filters: [EventFilter], columns names: String) throws {
        let keys = try keys()
        let columns = try names.split(separator: ",", omittingEmptySubsequences: false).map { name in
            try EventColumn(Names.trimmed(String(name)), keys: keys)
        }
        let screen = shape.screen(in: context)
        let text = try EventText(context: context, withPlaces: columns.contains(.fact(.place)))
        var listing = ColumnListing(columns, text, screen)
        var isEmpty = true
        try paged(screen) { output in
            try forEachInOrder(filters) { record in
                isEmpty = false
                for line in listing.lines(record) { try output.line(line) }
            }
            for line in listing.end() { try output.line(line) }
            if isEmpty { try output.line("no events") }
        }
        if isEmpty { try context.remarkBeforeFirstSync() }
    }

    /// The keys of all properties that are defined.
    private func keys() throws -> Set<String> {
        Set(try context.reader.fetch(PropertyDefinition.self).map(\.entity.key))
    }
}
