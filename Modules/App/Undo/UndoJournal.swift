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
    func note(_ deed: FinalDeed) throws {
        var stacks = try stacks()
        let (entry, outdated) = stacks.add(group: deed.rawValue)
        for number in outdated { try writes.setMetadata(Self.key(number), nil) }
        try put([UndoStep(deed)], as: entry)
        try save(stacks)
    }

    /// The newest change that can be taken back, or done again: its steps in the order in which they were done.
    ///
    /// It is off its stack then; ``noteReversal(_:)`` puts what was made of it on the other one.
    func pop(_ direction: Direction) throws -> [UndoStep]? {
        var stacks = try stacks()
        let range = direction == .undo ? stacks.undo.popLast() : stacks.redo.popLast()
        guard let range else { return nil }
        stacks.openGroup = nil
        var steps: [UndoStep] = []
        for entry in range {
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
        let range = first...(stacks.next - 1)
        if direction == .undo { stacks.redo.append(range) } else { stacks.undo.append(range) }
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
