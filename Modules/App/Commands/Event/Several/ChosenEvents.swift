import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendySync
import TrendyTerminal

/// The events that match a filter, to be changed together and undone as one change.
///
/// The events are read one by one from one snapshot of the store, and written in batches, so that memory is constant.
@MainActor
struct ChosenEvents {
    /// How many events one save writes.
    private static let saveSize = 500
    /// How many events the question shows.
    private static let shownEvents = 5

    let context: CommandContext
    let filter: EventFilter
    /// The number of events of each type, by the id of the type.
    let counts: [String: Int]

    init(_ query: EventQuery, in context: CommandContext) async throws {
        self.context = context
        var filter = query.filter
        filter.order = .oldestFirst
        self.filter = filter
        counts = try await context.root.repository.countsByType(matching: filter)
    }

    var count: Int { counts.values.reduce(0, +) }

    /// `3 events (coffee 2, tea 1)`.
    func summary(_ text: EventText) -> String {
        let types = counts.map { (name: text.typeName(id: $0.key), count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
        let named = types.prefix(6).map { "\($0.name) \(FigureText.text($0.count))" } + (types.count > 6 ? ["…"] : [])
        return "\(FigureText.counted(count, "event")) (\(named.joined(separator: ", ")))"
    }

    /// The first events as a list, and the number of the others.
    func preview(_ text: EventText, _ screen: Screen) throws -> [String] {
        var listing = DayListing(text, screen, filter)
        var lines: [String] = []
        var first = filter
        first.limit = Self.shownEvents
        try context.root.repository.forEachEvent(matching: first) { lines += listing.lines($0) }
        let rest = count - Self.shownEvents
        return lines + (rest > 0 ? ["  … and \(FigureText.text(rest)) more"] : [])
    }

    /// Shows the events and asks, unless `--yes` was given.
    ///
    /// - Parameter deed: Turns the summary of the events into the question.
    /// - Throws: ``CommandFailure`` if the person does not agree, or cannot be asked.
    func requireConsent(_ deed: (String) -> String, isGiven: Bool) throws {
        let text = try EventText(context: context)
        if !isGiven, context.process.input.isTerminal {
            for line in try preview(text, context.screen) { try context.errors.line(line) }
            try context.errors.line("")
        }
        try context.confirmation(isGiven).require(deed(summary(text)))
    }

    /// Writes changes of the events, in saves that are undone together.
    ///
    /// - Parameters:
    ///   - doing: The label of the progress: `deleting`.
    ///   - done: The verb of the message for Ctrl-C: `deleted`.
    ///   - body: Writes the changes of a batch of events that still exist.
    func forEachSave(_ doing: String, _ done: String, _ body: ([Event], LocalWrites) throws -> Void) throws {
        let total = count
        let progress = context.progress(doing, unit: "events", total: total)
        var written = 0
        let work = StoppableWork(progress, listensForSignals: context.process.listensForSignals) { _ in
            .interrupted(
                "\(FigureText.text(written)) of \(FigureText.counted(total, "event")) were \(done); "
                    + "'trendy undo' undoes that; run the same command again to continue")
        }
        defer { work.end() }
        let store = try context.store
        store.groupForUndo(context.makeId())
        defer { store.groupForUndo(nil) }
        var waiting: [Event] = []
        func save() throws {
            let events = waiting
            waiting = []
            try store.performSynchronously { writes in
                try body(try events.filter { try writes.find(Event.self, id: $0.id) != nil }, writes)
            }
            written += events.count
        }
        try context.root.repository.forEachEvent(matching: filter) { record in
            waiting.append(record.entity)
            if waiting.count == Self.saveSize { try save() }
            try work.step()
        }
        if !waiting.isEmpty { try save() }
    }
}

extension CommandContext {
    /// Whether a word is the id of an event, and not a filter.
    func namesEvent(_ text: String) throws -> Bool {
        if text.lowercased() == RecordLookup.lastEvent { return true }
        if try reader.find(Event.self, id: text) != nil { return true }
        if text.utf8.count >= ShortId.minimum, try !reader.ids(of: .event, endingWith: text, limit: 1).isEmpty {
            return true
        }
        // A type called 'cafe' also looks like an id.
        return ShortId.isPossible(text) && (try? lookup.type(text, inFull: true)) == nil
    }
}
