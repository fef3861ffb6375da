import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

// What is kept on this device alone.

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
            // Without its type it is what it was before: a timer that can only be discarded.
            if try writes.find(EventType.self, id: event.eventTypeId) != nil { event = try withParents(event) }
            if timers.timer(of: event.eventTypeId) != nil {
                let name = try writes.find(EventType.self, id: event.eventTypeId)?.name ?? "this type"
                throw CommandFailure.data(
                    "the timer of \(name) cannot run again: another one does; stop it first with 'trendy stop \(quoted(name))'"
                )
            }
            timers.add(event)
            summary.add(step, record: fields)
        default: return summary.skip(step)
        }
        try timers.save(in: writes)
    }

    /// The timer with what was changed in its event since it was stopped, here or elsewhere.
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
