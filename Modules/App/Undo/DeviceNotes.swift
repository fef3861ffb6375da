import TrendyDomain
import TrendySync

/// What a person changes on this device alone: its timers and its aliases.
///
/// They are no records, so that the writes do not tell what became of them; two looks at them do.
struct DeviceNotes {
    private let timers: String?
    private let aliases: String?

    /// The notes as the writes have left them.
    init(_ writes: LocalWrites) throws {
        timers = try writes.metadata(RunningTimers.key)
        aliases = try writes.metadata(TypeAliases.key)
    }

    /// What has been done to them until a later look.
    ///
    /// - Parameter records: What has been done to records meanwhile.
    func steps(to later: DeviceNotes, beside records: [LocalChange]) throws -> [UndoStep] {
        try timerSteps(to: later, records) + aliasSteps(to: later)
    }

    private func timerSteps(to later: DeviceNotes, _ records: [LocalChange]) throws -> [UndoStep] {
        if timers == later.timers { return [] }
        let (before, after) = (try RunningTimers(text: timers).events, try RunningTimers(text: later.timers).events)
        let (old, new) = (Set(before.map(\.id)), Set(after.map(\.id)))
        return try before.filter { !new.contains($0.id) }.map { try .stoppedTimer($0, records.event(madeOf: $0)) }
            + after.filter { !old.contains($0.id) }.map { .startedTimer($0) }
    }

    private func aliasSteps(to later: DeviceNotes) throws -> [UndoStep] {
        if aliases == later.aliases { return [] }
        let (before, after) = (try TypeAliases(text: aliases), try TypeAliases(text: later.aliases))
        let gone = before.all.filter { after.typeId($0) != before.typeId($0) }
        let new = after.all.filter { after.typeId($0) != before.typeId($0) }
        return gone.compactMap { alias in before.typeId(alias).map { .clearedAlias(alias, of: $0) } }
            + new.compactMap { alias in after.typeId(alias).map { .addedAlias(alias, of: $0) } }
    }
}

extension [LocalChange] {
    /// The event that was made of a timer: a stop makes no other one.
    fileprivate func event(madeOf timer: Event) -> Event? {
        for case .created(let record) in self {
            if let event = record as? Event, event.eventTypeId == timer.eventTypeId { return event }
        }
        return nil
    }
}

extension EntityType {
    /// A timer: the event that it becomes, before it has an end.
    static let timer: EntityType = "timer"
    /// A short name of a type; it is its own id.
    static let alias: EntityType = "alias"
}

extension UndoStep {
    static func startedTimer(_ event: Event) -> UndoStep { UndoStep(.create, .timer, event.id) }

    /// - Parameter made: The event that the timer has become; nil where there is none.
    static func stoppedTimer(_ event: Event, _ made: Event?) throws -> UndoStep {
        UndoStep(
            .delete, .timer, event.id, before: try WireCoding.fields(of: event),
            after: try made.map { try WireCoding.fields(of: $0) })
    }

    static func addedAlias(_ alias: String, of typeId: String) -> UndoStep {
        UndoStep(.create, .alias, alias, after: [Self.typeField: .string(typeId)])
    }

    static func clearedAlias(_ alias: String, of typeId: String) -> UndoStep {
        UndoStep(.delete, .alias, alias, before: [Self.typeField: .string(typeId)])
    }

    /// The type that an alias is, or was, of.
    var aliasedType: String? { (before ?? after)?[Self.typeField]?.stringValue }

    private static let typeField = Event.CodingKeys.eventTypeId.stringValue
}
