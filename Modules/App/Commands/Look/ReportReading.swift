import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

extension ReportFigures {
    /// The number of steps of the reading, for the progress: one per event, and one per event and drawn property.
    static func values(_ context: CommandContext, _ filter: EventFilter) async throws -> Int {
        let properties = Dictionary(
            grouping: try context.reader.fetch(PropertyDefinition.self).map(\.entity).filter(isDrawn), by: \.eventTypeId
        )
        let counts = try await context.root.repository.countsByType(matching: filter)
        return counts.reduce(0) { $0 + $1.value * (1 + (properties[$1.key]?.count ?? 0)) }
    }

    private static func isDrawn(_ definition: PropertyDefinition) -> Bool {
        [.number, .duration].contains(definition.propertyType)
    }

    /// Reads all events, and the values of all properties.
    ///
    /// - Throws: Errors of the store; ``CommandFailure`` at Ctrl-C.
    init(_ context: CommandContext, _ query: EventQuery, _ work: StoppableWork) async throws {
        let histories = try StatisticsReader(
            context: context, query.filter.atAnyTime.and(.began(query.filter.interval.withoutStart)))
        let since = query.filter.since
        let scope = ReportScope(
            since: since, zone: histories.zone, today: histories.today, weekStart: histories.weekStart)
        let definitions = try context.reader.fetch(PropertyDefinition.self).map(\.entity)
            .sorted { ($0.displayOrder, $0.key) < ($1.displayOrder, $1.key) }
        var all = EventTally(in: histories.zone, weekStart: histories.weekStart)
        var types: [OfType] = []
        var inputs: [InsightInput.History] = []
        var lasting: [ClosedRange<CalendarDay>] = []
        for id in try histories.typesInUse() {
            let read = try histories.tallies(of: id, since: since, adding: &all, work)
            let name = histories.face(id).name
            // A sync can bring events before their type.
            let type = histories.type(id) ?? EventType(id: id, name: name)
            let own = try definitions.filter { $0.eventTypeId == id && Self.isDrawn($0) }.map { definition in
                let before = work.done
                let values = try histories.values(of: definition, of: type) { try work.step() }
                // Events without a value.
                try work.step(by: max(0, read.whole.days.total - (work.done - before)))
                return (definition: definition, values: values)
            }
            inputs.append(
                .init(
                    eventTypeId: id, name: name, days: read.whole.days,
                    properties: own.map { InsightInput.Property($0.definition, $0.values) }))
            guard read.counted.days.total > 0 else { continue }
            let spans = try histories.lasting(of: id, on: scope.calendarDays)
            lasting += spans
            let presence = Presence(starts: read.counted.days, lasting: spans, in: scope.calendarDays)
            types.append(Self.ofType(type, read.whole, read.counted, presence, own, scope, histories))
        }
        let days = inputs.compactMap(\.days.days)
        let (first, last) = (days.map(\.lowerBound).min(), days.map(\.upperBound).max())
        let count = inputs.reduce(0) { $0 + $1.days.total }
        self.init(
            scope: scope, zone: histories.zone, now: context.now,
            types: types.sorted { ($1.tally.days.total, $0.name) < ($0.tally.days.total, $1.name) }, tally: all,
            presence: Presence(starts: all.days, lasting: lasting, in: scope.calendarDays),
            insights: try await context.root.insightGenerator.generate(
                from: InsightInput(histories: inputs, today: histories.today, dayText: ReportDate.text)),
            everything: first.flatMap { first in last.map { EventDays(count: count, days: first...$0) } },
            choice: query.name, isSpecial: query.isSpecial)
    }

    private static func ofType(
        _ type: EventType, _ whole: EventTally, _ counted: EventTally, _ presence: Presence,
        _ properties: [(definition: PropertyDefinition, values: ValueTally)], _ scope: ReportScope,
        _ histories: StatisticsReader
    ) -> OfType {
        let face = histories.face(type.id)
        let (period, first) = scope.trend
        var trends = [TrendReport(of: type, type.name, whole, by: period, from: first, today: scope.today)]
        for (definition, values) in properties {
            guard let last = values.days?.upperBound, last >= first else { continue }
            trends += [Aggregation.sum, .mean].map { aggregation in
                TrendReport(
                    of: .property(definition), of: type, type.name, values, by: period, aggregation: aggregation,
                    from: first,
                    scope.today)
            }
        }
        return OfType(
            type: type, face: face, tally: counted, allDays: whole.days, presence: presence,
            streaks: Streaks(whole.days, today: scope.today), trends: trends)
    }
}

extension StatisticsReader {
    /// Counts the events of a type by days and hours: all events, and those from a moment on.
    ///
    /// - Parameter sum: The sum over all types, to which the events from that moment on are added.
    fileprivate func tallies(
        of type: String, since: Timestamp?, adding sum: inout EventTally, _ work: StoppableWork
    ) throws -> (whole: EventTally, counted: EventTally) {
        var whole = EventTally(in: zone, weekStart: weekStart)
        var recent = EventTally(in: zone, weekStart: weekStart)
        let shown = EventInterval(since: since).byDays(in: zone)
        try repository.forEachMomentAndDay(matching: filter(type)) { moment, isAllDay in
            try work.step()
            whole.add(moment, isAllDay: isAllDay)
            guard shown.includes(moment, isAllDay: isAllDay) else { return }
            sum.add(moment, isAllDay: isAllDay)
            if since != nil { recent.add(moment, isAllDay: isAllDay) }
        }
        return (whole, since == nil ? whole : recent)
    }
}
