import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct StopCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop a timer and log its event.",
        discussion: """
            Example:
              trendy stop
              trendy stop 7.5km "felt good"
              trendy stop run km=7.5 --at -10m
              trendy stop run --discard

            The note that 'trendy start' was given stays; another one goes below it.
            """)

    @Argument(help: "The type, where several timers run; properties (km=5, 5km); other words are the note.")
    var words: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "When it ended.")
    var at: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional, help: "Goes below the note of the start; the last one counts.")
    var note: String?

    @Flag(name: .long, help: "The end may lie in the future.")
    var future = false

    @Flag(name: .long, help: "Log nothing.")
    var discard = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if discard && (at != nil || note != nil || words.count > 1) {
            throw CommandFailure.usage("--discard logs nothing, so it takes neither --at nor --note nor properties")
        }
    }

    func run(in context: CommandContext) async throws {
        let (timer, words) = try timer(in: context)
        if discard, let word = words.first {
            throw CommandFailure.usage("--discard logs nothing, so it does not take '\(word)'")
        }
        let found = try context.reader.find(EventType.self, id: timer.eventTypeId)?.entity
        guard let type = found else { return try await discardOrphan(timer, in: context) }
        var event = timer
        // It is logged now, and "last" is what was logged last: ids begin with the time at which they were made.
        if !discard { event.id = context.makeId() }
        let (texts, remark) = try FreeWords.sorted(texts(words), of: type, or: [.note], in: context)
        let units = discard ? [] : try texts.apply(to: &event, of: type, in: context)
        event.notes = Self.notes(timer.notes, texts.note)
        // A timer that is discarded before it has begun has run for no time that could be told.
        let hasBegun = event.timestamp <= context.now
        if event.endDate == nil, !discard || hasBegun { event.endDate = context.now }
        guard discard || event.timestamp <= event.endDate ?? event.timestamp else {
            throw CommandFailure.data(
                "the clock shows a time before the start (\(context.process.zone.minuteText(event.timestamp))); set it, or give the end with --at"
            )
        }
        try await end(timer, as: discard ? nil : event, named: type.name, naming: units, in: context)
        let name = "\(type.name), \(context.process.zone.spanText(event)) (\(ShortId.of(event.id)))"
        if discard { return try context.say("discarded the timer of \(name)", json: timer) }
        let length = Self.length((event.endDate ?? event.timestamp).seconds(since: event.timestamp))
        try context.say("logged \(name), \(length)" + remark + units.map(\.text).joined(), event: event.id)
    }

    /// The note of the start, and on a line of its own that of the end, where it says something else.
    private static func notes(_ first: String?, _ second: String?) -> String? {
        guard let first, !first.isEmpty else { return second }
        guard let second, !second.isEmpty, second != first else { return first }
        return "\(first)\n\(second)"
    }

    /// How long it ran; no timer ran for no time at all.
    private static func length(_ seconds: Double) -> String {
        seconds < 1 ? "under a second" : DurationText.text(seconds.rounded(.down))
    }

    /// What was given, in the words of 'trendy log': the time is that of the end.
    private func texts(_ words: [String]) -> EventTexts {
        EventTexts(until: at, note: note, words: words, allowsFuture: future, endOption: "--at")
    }

    /// The timer that is meant, and the words that are said of its event.
    @MainActor
    private func timer(in context: CommandContext) throws -> (timer: Event, words: [String]) {
        let timers = try RunningTimers.load(context.reader).events
        if timers.isEmpty { throw CommandFailure.data("no timer runs; start one with 'trendy start TYPE'") }
        guard let first = words.first, !first.contains("=") else { return (try only(timers, in: context), words) }
        let type: EventType
        do { type = try context.lookup.type(first).entity } catch let unknown as UnknownType {
            if discard { throw unknown }
            let only = try only(timers, in: context)
            guard let nearest = unknown.nearest, let way = try way(first, of: only, in: context) else {
                return (only, words)
            }
            throw CommandFailure.data("there is no type '\(first)'; did you mean '\(nearest)'? If not, write \(way)")
        }
        if let found = timers.first(where: { $0.eventTypeId == type.id }) { return (found, Array(words.dropFirst())) }
        let missing = "no timer of \(type.name) runs; start one with 'trendy start \(quoted(type.name))'"
        let way = timers.count == 1 && !discard ? try way(first, of: timers[0], in: context, orProperty: true) : nil
        throw CommandFailure.data(
            missing + (way.map { ", or write \($0) where that is said of the timer that runs" } ?? ""))
    }

    /// The only timer that runs.
    @MainActor
    private func only(_ timers: [Event], in context: CommandContext) throws -> Event {
        if timers.count == 1 { return timers[0] }
        let lines = try EventLines(context: context)
        let names = timers.map(lines.typeName)
        throw CommandFailure.data(
            "several timers run: \(names.joined(separator: ", ")); say which one to stop, like 'trendy stop \(quoted(names[0]))'"
        )
    }

    /// How a word is written that is said of a timer's event: `--note walk`, or `kind=walk`.
    ///
    /// - Parameter orProperty: False to answer nil where the word fits a property, and can mean nothing else.
    @MainActor
    private func way(
        _ word: String, of timer: Event, in context: CommandContext, orProperty: Bool = false
    ) throws -> String? {
        guard let type = try context.reader.find(EventType.self, id: timer.eventTypeId)?.entity else { return nil }
        let sorted = try FreeWords.sorted(texts([word]), of: type, or: [.note], in: context).texts
        guard let property = sorted.properties.first else { return "--note \(quoted(word))" }
        return orProperty ? property : nil
    }

    @MainActor
    private func end(
        _ timer: Event, as event: Event?, named name: String, naming units: [NamedUnit] = [],
        in context: CommandContext
    ) async throws {
        try await context.store.perform { writes in
            var timers = try RunningTimers.load(writes)
            guard timers.events.contains(where: { $0.id == timer.id }) else {
                throw CommandFailure.data("the timer of \(name) was stopped in the meantime; see 'trendy list'")
            }
            timers.remove(timer)
            try timers.save(in: writes)
            guard let event else { return }
            try writes.require(EventType.self, id: event.eventTypeId, named: name)
            try writes.store(units)
            try writes.create(event)
        }
    }

    /// A timer whose type was deleted, here or elsewhere, can become nothing.
    @MainActor
    private func discardOrphan(_ timer: Event, in context: CommandContext) async throws {
        guard discard else {
            throw CommandFailure.data(
                "the type of the timer was deleted, so that nothing can be logged; 'trendy stop --discard' ends it")
        }
        try await end(timer, as: nil, named: "a deleted type", in: context)
        try context.say("discarded the timer of a deleted type (\(ShortId.of(timer.id)))", json: timer)
    }
}
