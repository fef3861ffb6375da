import TrendyDomain
import TrendySync

/// What was changed on this device by its person, kept in the store so that it can be taken back.
///
/// An entry is written in the save of the change itself: what is stored can be taken back, and nothing else.
struct UndoJournal {
    /// Which way a change goes.
    enum Direction: Sendable {
        /// The person did it.
        case done
        /// It takes something back.
        case undo
        /// It does something again that was taken back.
        case redo
    }

    private static let stacksKey = "app.undo"
    /// As many steps are read and written at a time.
    private static let stepsPerEntry = 500

    private let writes: LocalWrites
    private let clock: any WallClock
    private let notes: DeviceNotes

    /// Begins to watch writes, before they change anything.
    init(watching writes: LocalWrites, clock: any WallClock) throws {
        self.writes = writes
        self.clock = clock
        notes = try DeviceNotes(writes)
    }

    /// What the writes have changed so far, to records and on this device alone.
    private func steps() throws -> [UndoStep] {
        let now = clock.now()
        let steps = try writes.changes.map { change in
            var step = try UndoStep(change)
            if step.operation == .update { step.at = now }
            return step
        }
        return try steps + notes.steps(to: DeviceNotes(writes), beside: writes.changes)
    }

    /// Notes what the writes have changed.
    ///
    /// - Parameter group: The command that the change belongs to, where it makes several saves.
    func note(group: String?) throws {
        let changes = try steps()
        if changes.isEmpty { return }
        var stacks = try stacks()
        var group = group
        for start in stride(from: 0, to: changes.count, by: Self.stepsPerEntry) {
            let piece = changes[start..<min(changes.count, start + Self.stepsPerEntry)]
            // A change of many records is one, also where it takes several entries.
            if changes.count > Self.stepsPerEntry { group = group ?? "save-\(stacks.next)" }
            let (entry, outdated) = stacks.add(group: group)
            for number in outdated { try writes.setMetadata(Self.key(number), nil) }
            try put(piece, as: entry)
        }
        try save(stacks)
    }

    /// Notes that something was done for good; several such deeds in a row are one.
    func note(_ deed: IrreversibleCommand) throws {
        var stacks = try stacks()
        let (entry, outdated) = stacks.add(group: deed.rawValue, spansOthers: false)
        for number in outdated { try writes.setMetadata(Self.key(number), nil) }
        try put([UndoStep(deed)], as: entry)
        try save(stacks)
    }

    /// The newest change that can be taken back, or done again: its steps in the order in which they were done.
    ///
    /// It is off its stack then; ``noteReversal(_:)`` puts what was made of it on the other one.
    func pop(_ direction: Direction) throws -> [UndoStep]? {
        var stacks = try stacks()
        let change = direction == .undo ? stacks.undo.popLast() : stacks.redo.popLast()
        guard let change else { return nil }
        var steps: [UndoStep] = []
        for entry in change.entries {
            steps += try UndoEntryText.steps(writes.metadata(Self.key(entry)) ?? "[]")
            try writes.setMetadata(Self.key(entry), nil)
        }
        try save(stacks)
        return steps
    }

    /// Notes what taking a change back, or doing it again, has changed.
    func noteReversal(_ direction: Direction) throws {
        let changes = try steps()
        if changes.isEmpty { return }
        var stacks = try stacks()
        let first = stacks.next
        for start in stride(from: 0, to: changes.count, by: Self.stepsPerEntry) {
            let piece = changes[start..<min(changes.count, start + Self.stepsPerEntry)]
            try put(piece, as: stacks.take())
        }
        let change = UndoStacks.Change(first...(stacks.next - 1))
        if direction == .undo { stacks.redo.append(change) } else { stacks.undo.append(change) }
        try save(stacks)
    }

    // MARK: Entries

    private func stacks() throws -> UndoStacks {
        // A text that an earlier version cannot read is of a later one: begin anew rather than refuse every change.
        try writes.metadata(Self.stacksKey).flatMap(UndoStacks.init) ?? UndoStacks()
    }

    private func save(_ stacks: UndoStacks) throws {
        try writes.setMetadata(Self.stacksKey, stacks.text)
    }

    private func put(_ steps: ArraySlice<UndoStep>, as entry: Int) throws {
        try writes.setMetadata(Self.key(entry), UndoEntryText.text(steps))
    }

    private static func key(_ entry: Int) -> String { "\(stacksKey).\(entry)" }
}

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
