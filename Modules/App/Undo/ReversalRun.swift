import Synchronization
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Undoes or redoes a change, with progress on the terminal. Ctrl-C stops it without a trace.
@MainActor
struct ReversalRun {
    let context: CommandContext
    /// The label of the progress: `undoing`.
    let doing: String

    /// - Throws: What the work throws; ``CommandFailure`` at Ctrl-C.
    func run(
        _ work: @escaping @MainActor (ReversalProgress) async throws -> ReversalSummary?
    ) async throws -> ReversalSummary? {
        let latest = ReversalProgress()
        let progress = context.progress(doing, unit: "changes")
        do {
            return try await context.interruption.during {
                try await progress.during({ Self.show(latest, $0) }) { try await work(latest) }
            }
        } catch is CancellationError {
            // It is one transaction.
            throw CommandFailure.interrupted("nothing was changed; run the same command again")
        }
    }

    private static func show(_ latest: ReversalProgress, _ progress: Progress) {
        let state = latest.state
        guard let total = state.total else { return progress.show(0, unit: "") }
        progress.show(state.done, of: total, unit: "changes")
    }
}

/// The progress of an undo, reported from another thread.
final class ReversalProgress: Sendable {
    struct State: Sendable {
        var done = 0
        /// Nil while the steps are being read.
        var total: Int?
    }

    private let latest = Mutex(State())

    var state: State { latest.withLock { $0 } }

    func begin(_ total: Int) { latest.withLock { $0.total = total } }

    func step(by count: Int = 1) { latest.withLock { $0.done += count } }
}

// MARK: Timers and aliases

extension Reversal {
    mutating func runTimer(_ step: UndoStep) throws {
        var timers = try RunningTimers.load(writes)
        let present = timers.events.first { $0.id == step.id }
        switch (step.operation, present, step.before) {
        case (.create, let running?, _):
            timers.remove(running)
            summary.add(step, record: try WireCoding.fields(of: running))
        case (.delete, nil, let fields?):
            var event = try withLaterChanges(WireCoding.value(Event.self, from: fields), since: step.after)
            // A timer without its type can only be discarded.
            if try writes.find(EventType.self, id: event.eventTypeId) != nil { event = try withParents(event) }
            if timers.timer(of: event.eventTypeId) != nil {
                let name = try writes.find(EventType.self, id: event.eventTypeId)?.name ?? "this type"
                throw CommandFailure.data(
                    "the timer of \(name) cannot be restored, because another one runs; stop that one first with 'trendy stop \(quoted(name))'"
                )
            }
            timers.add(event)
            summary.add(step, record: fields)
        default: return summary.skip(step)
        }
        try timers.save(in: writes)
    }

    /// The timer, with the changes that its event got after the stop, on any device.
    private func withLaterChanges(_ timer: Event, since made: [String: JSONValue]?) throws -> Event {
        guard let made, let id = made[Event.CodingKeys.id.stringValue]?.stringValue,
            let present = try writes.find(Event.self, id: id)
        else { return timer }
        let fields = try WireCoding.fields(of: present)
        var changes = fields.filter { made[$0.key] ?? .null != $0.value }
        for name in made.keys where fields[name] == nil { changes[name] = .null }
        changes[Event.CodingKeys.endDate.stringValue] = nil
        return try Patch<Event>(changes: changes).applied(to: timer)
    }

    mutating func runAlias(_ step: UndoStep) throws {
        var aliases = try TypeAliases.load(writes)
        guard let typeId = step.aliasedType else { return summary.skip(step) }
        let owner = try aliases.typeId(step.id).flatMap { try writes.find(EventType.self, id: $0)?.id }
        switch step.operation {
        case .create where owner == typeId: aliases.remove(step.id)
        case .delete where try owner == nil && writes.find(EventType.self, id: typeId) != nil:
            aliases.add(step.id, for: typeId)
        default: return summary.skip(step)
        }
        try aliases.save(in: writes)
        summary.add(step, record: step.before ?? step.after ?? [:])
    }
}
