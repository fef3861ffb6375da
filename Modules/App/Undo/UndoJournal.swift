import TrendyDomain
import TrendySync

/// The changes that a person made on this device, kept in the store so that they can be undone.
///
/// An entry is written in the same save as its change, so that the two always agree.
struct UndoJournal {
    /// Why a change was made.
    enum Direction: Sendable {
        /// By a command.
        case done
        /// By `undo`.
        case undo
        /// By `redo`.
        case redo
    }

    private static let stacksKey = "app.undo"
    /// How many steps one entry has at most.
    private static let stepsPerEntry = 500

    private let writes: LocalWrites
    private let clock: any WallClock
    private let notes: DeviceState

    /// Starts to watch writes, before they change anything.
    init(watching writes: LocalWrites, clock: any WallClock) throws {
        self.writes = writes
        self.clock = clock
        notes = try DeviceState(writes)
    }

    /// The changes so far, of records and of state that only this device has.
    private func steps() throws -> [UndoStep] {
        let now = clock.now()
        let steps = try writes.changes.map { change in
            var step = try UndoStep(change)
            if step.operation == .update { step.at = now }
            return step
        }
        return try steps + notes.steps(to: DeviceState(writes), in: writes)
    }

    /// Records the changes.
    ///
    /// - Parameter group: The group of the change, if its command makes several saves.
    func note(group: String?) throws {
        let changes = try steps()
        if changes.isEmpty { return }
        var stacks = try stacks()
        var group = group
        for start in stride(from: 0, to: changes.count, by: Self.stepsPerEntry) {
            let piece = changes[start..<min(changes.count, start + Self.stepsPerEntry)]
            // A change of many records takes several entries, and is undone as one.
            if changes.count > Self.stepsPerEntry { group = group ?? "save-\(stacks.next)" }
            let (entry, outdated) = stacks.add(group: group)
            for number in outdated { try writes.setMetadata(Self.key(number), nil) }
            try put(piece, as: entry)
        }
        try save(stacks)
    }

    /// Records a command that cannot be undone; several of them in a row count as one.
    func note(_ deed: IrreversibleCommand) throws {
        var stacks = try stacks()
        let (entry, outdated) = stacks.add(group: deed.rawValue, spansOthers: false)
        for number in outdated { try writes.setMetadata(Self.key(number), nil) }
        try put([UndoStep(deed)], as: entry)
        try save(stacks)
    }

    /// Takes the newest change off a stack, and returns its steps in their original order, with the present ids.
    ///
    /// ``noteReversal(_:)`` then puts the reverse change onto the other stack.
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
        let ids = try writes.presentIds()
        return ids.isEmpty ? steps : steps.map { $0.renamed(by: ids) }
    }

    /// Records the changes of an undo or a redo.
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
        // A later version of Trendy may have written a journal that this one cannot read. Starting with an empty
        // journal loses the undo history; refusing would block every change.
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

/// The state that only this device has: its timers and its aliases.
///
/// They are no records, so the writes do not list their changes: two snapshots are compared.
struct DeviceState {
    private let timers: String?
    private let aliases: String?

    /// The state after the writes so far.
    init(_ writes: LocalWrites) throws {
        timers = try writes.metadata(RunningTimers.key)
        aliases = try writes.metadata(TypeAliases.key)
    }

    /// The changes up to a later snapshot.
    ///
    /// - Parameter writes: The writes between the two.
    func steps(to later: DeviceState, in writes: LocalWrites) throws -> [UndoStep] {
        if timers == later.timers && aliases == later.aliases { return [] }
        // An id that only the later text has in its present form was not changed by the writes.
        let ids = try writes.presentIds()
        return try timerSteps(to: later, ids, writes.changes) + aliasSteps(to: later, ids)
    }

    private func timerSteps(
        to later: DeviceState, _ ids: PresentIds, _ records: [LocalChange]
    ) throws -> [UndoStep] {
        if timers == later.timers { return [] }
        let before = try RunningTimers(text: timers, ids: ids).events
        let after = try RunningTimers(text: later.timers, ids: ids).events
        let (old, new) = (Set(before.map(\.id)), Set(after.map(\.id)))
        return try before.filter { !new.contains($0.id) }.map { try .stoppedTimer($0, records.event(madeOf: $0)) }
            + after.filter { !old.contains($0.id) }.map { .startedTimer($0) }
    }

    private func aliasSteps(to later: DeviceState, _ ids: PresentIds) throws -> [UndoStep] {
        if aliases == later.aliases { return [] }
        let before = try TypeAliases(text: aliases, ids: ids)
        let after = try TypeAliases(text: later.aliases, ids: ids)
        let gone = before.all.filter { after.typeId($0) != before.typeId($0) }
        let new = after.all.filter { after.typeId($0) != before.typeId($0) }
        return gone.compactMap { alias in before.typeId(alias).map { .clearedAlias(alias, of: $0) } }
            + new.compactMap { alias in after.typeId(alias).map { .addedAlias(alias, of: $0) } }
    }
}

extension [LocalChange] {
    /// The event that a stopped timer became: stopping creates no other event.
    fileprivate func event(madeOf timer: Event) -> Event? {
        for case .created(let record) in self {
            if let event = record as? Event, event.eventTypeId == timer.eventTypeId { return event }
        }
        return nil
    }
}

extension EntityType {
    /// A timer: its event without an end.
    static let timer: EntityType = "timer"
    /// An alias of a type; the alias is the id.
    static let alias: EntityType = "alias"
}

extension UndoStep {
    static func startedTimer(_ event: Event) -> UndoStep { UndoStep(.create, .timer, event.id) }

    /// - Parameter made: The event that the timer became; nil if it was discarded.
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

    /// The step with the present ids of the records that it names.
    ///
    /// A creation is not followed to a record that another device had made: undoing it must not delete that one.
    func renamed(by ids: PresentIds) -> UndoStep {
        // Timers are events, and aliases name their types as events do.
        let kind: EntityType = [.timer, .alias].contains(entityType) ? .event : entityType
        func present(_ fields: [String: JSONValue]?) -> [String: JSONValue]? {
            guard let fields, let type = EntitySchema.trendy.type(for: kind) else { return fields }
            return ids.renaming(fields, of: type)
        }
        var step = UndoStep(
            operation, entityType, ids.present(id, of: entityType, throughMerges: operation != .create),
            before: present(before), after: present(after))
        step.at = at
        return step
    }

    /// The id of the type that the alias names or named.
    var aliasedType: String? { (before ?? after)?[Self.typeField]?.stringValue }

    private static let typeField = Event.CodingKeys.eventTypeId.stringValue
}
