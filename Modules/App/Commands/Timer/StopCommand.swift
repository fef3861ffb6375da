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

            The timer keeps the note of 'trendy start'; --note adds a line to it.
            """)

    @Argument(help: "The type, if several timers run; properties; other words are the note.")
    var words: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "The end (default: now).")
    var at: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional, help: "Add a line to the note. The last one counts.")
    var note: String?

    @Flag(name: .long, help: "Allow an end in the future.")
    var future = false

    @Flag(name: .long, help: "Log no event.")
    var discard = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if discard && (at != nil || note != nil || words.count > 1) {
            throw CommandFailure.usage("--discard logs no event; leave out --at, --note and properties")
        }
    }

    func run(in context: CommandContext) async throws {
        let (timer, words) = try timer(in: context)
        if discard, let word = words.first {
            throw CommandFailure.usage("--discard logs no event, so it does not take '\(word)'")
        }
        let found = try context.reader.find(EventType.self, id: timer.eventTypeId)?.entity
        guard let type = found else { return try await discardOrphan(timer, in: context) }
        var event = timer
        // "last" is the event with the newest id, so the event needs an id of the present time.
        if !discard { event.id = context.makeId() }
        let (texts, remark) = try UnkeyedWords.sorted(texts(words), of: type, or: [.note], in: context)
        let units = discard ? [] : try texts.apply(to: &event, of: type, in: context)
        event.notes = Self.notes(timer.notes, texts.note)
        // The duration of a discarded timer that starts in the future would be negative.
        let hasBegun = event.timestamp <= context.now
        if event.endDate == nil, !discard || hasBegun { event.endDate = context.now }
        guard discard || event.timestamp <= event.endDate ?? event.timestamp else {
            throw CommandFailure.data(
                "the present time is before the start (\(context.process.zone.minuteText(event.timestamp))); set the clock, or give the end with --at"
            )
        }
        try await end(timer, as: discard ? nil : event, named: type.name, naming: units, in: context)
        let name = "\(type.name), \(context.process.zone.spanText(event)) (\(ShortId.of(event.id)))"
        if discard { return try context.say("discarded the timer of \(name)", json: timer) }
        let length = Self.length((event.endDate ?? event.timestamp).seconds(since: event.timestamp))
        try context.say("logged \(name), \(length)" + remark + units.map(\.text).joined(), event: event.id)
    }

    /// The note of the start, with the note of the stop on a line below, unless they are equal.
    private static func notes(_ first: String?, _ second: String?) -> String? {
        guard let first, !first.isEmpty else { return second }
        guard let second, !second.isEmpty, second != first else { return first }
        return "\(first)\n\(second)"
    }

    /// The duration; a very short one is not shown as 0.
    private static func length(_ seconds: Double) -> String {
        seconds < 1 ? "under a second" : DurationText.text(seconds.rounded(.down))
    }

    /// The given fields; `--at` is the end.
    private func texts(_ words: [String]) -> EventInput {
        EventInput(until: at, note: note, words: words, allowsFuture: future, endOption: "--at")
    }

    /// The timer to stop, and the words for its event.
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
            missing + (way.map { "; if that belongs to the running timer, write \($0)" } ?? ""))
    }

    /// The only running timer.
    @MainActor
    private func only(_ timers: [Event], in context: CommandContext) throws -> Event {
        if timers.count == 1 { return timers[0] }
        let lines = try EventLines(context: context)
        let names = timers.map(lines.typeName)
        throw CommandFailure.data(
            "several timers run: \(names.joined(separator: ", ")); name the one to stop, like 'trendy stop \(quoted(names[0]))'"
        )
    }

    /// How to write a word for a timer's event: `--note walk`, or `kind=walk`.
    ///
    /// - Parameter orProperty: False to return nil if the word fits a property and can mean nothing else.
    @MainActor
    private func way(
        _ word: String, of timer: Event, in context: CommandContext, orProperty: Bool = false
    ) throws -> String? {
        guard let type = try context.reader.find(EventType.self, id: timer.eventTypeId)?.entity else { return nil }
        let sorted = try UnkeyedWords.sorted(texts([word]), of: type, or: [.note], in: context).texts
        guard let property = sorted.properties.first else { return "--note \(quoted(word))" }
        return orProperty ? property : nil
    }

    @MainActor
    private func end(
        _ timer: Event, as event: Event?, named name: String, naming units: [AdoptedUnit] = [],
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

    /// Discards a timer whose type was deleted: it cannot become an event.
    @MainActor
    private func discardOrphan(_ timer: Event, in context: CommandContext) async throws {
        guard discard else {
            throw CommandFailure.data(
                "the type of the timer was deleted, so it cannot be logged; discard it with 'trendy stop --discard'")
        }
        try await end(timer, as: nil, named: "a deleted type", in: context)
        try context.say("discarded the timer of a deleted type (\(ShortId.of(timer.id)))", json: timer)
    }
}
