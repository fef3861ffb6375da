import TrendyDomain
package import TrendyNotation

/// Reads the days of a Loop Habit Tracker export on which habits were done, as all-day events.
@MainActor
package struct LoopSource: ImportSource {
    private let habits: LoopHabits
    private let times: WhenParser
    private var waiting: ArraySlice<LoopFile.Part>
    private var current: LoopFile?
    /// The number of notes in earlier files on days that are not events.
    private var lostNotes = 0

    package init(_ parts: [LoopFile.Part], habits: LoopHabits, times: WhenParser) {
        self.habits = habits
        self.times = times
        waiting = parts[...]
    }

    package var remarks: [String] {
        let count = lostNotes + (current?.lostNotes ?? 0)
        if count == 0 { return [] }
        return [
            "\(counted(count, "note")) left out, because the habit was not done on those days"
        ]
    }

    package mutating func next() throws -> ImportRow? {
        while true {
            if let row = try current?.next() { return row }
            lostNotes += current?.lostNotes ?? 0
            current = nil
            guard let part = waiting.popFirst() else { return nil }
            current = try LoopFile(part, habits, times)
        }
    }
}

/// One file of days.
@MainActor
package struct LoopFile {
    /// The key of the property for amounts.
    package static let property = "value"

    /// The location of a file of days.
    package struct Part {
        /// The name for messages.
        package let name: String
        /// The habit of the file; nil if it has a column for each habit.
        package let habit: LoopHabit?
        /// Opens the file at its start.
        package let open: @MainActor () throws -> any ByteSource

        package init(name: String, habit: LoopHabit?, open: @escaping @MainActor () throws -> any ByteSource) {
            self.name = name
            self.habit = habit
            self.open = open
        }
    }

    private let part: Part
    private let times: WhenParser
    private var csv: CSVReader<AnyByteSource>
    /// The habits of the columns after the first.
    private var columns: [LoopHabit]
    /// The first row, if it is a day.
    private var first: CSVRow?
    private let hasNotes: Bool
    /// The number of notes on days that are not events.
    private(set) var lostNotes = 0

    package init(_ part: Part, _ habits: LoopHabits, _ times: WhenParser) throws {
        self.part = part
        self.times = times
        csv = CSVReader(AnyByteSource(try part.open()), delimiter: UInt8(ascii: ","))
        let header = try csv.header()
        let names = ImportColumns.names(header) ?? []
        if let habit = part.habit {
            columns = [habit]
            first = names.first == "Date" ? nil : header
            hasNotes = names.count > 2 || first != nil
            return
        }
        hasNotes = false
        guard names.first == "Date", names.count > 1 else {
            throw InputError.data(
                "\(part.name): the first line has no names of habits; name the Checkmarks.csv of Loop Habit Tracker")
        }
        // Loop writes a comma at the end of each line.
        columns = names.dropFirst().filter { !$0.isEmpty }.map(habits.habit(named:))
    }

    package mutating func next() throws -> ImportRow? {
        if let row = first {
            first = nil
            return ImportRow(file: part.name, line: row.line) { try events(row) }
        }
        guard let next = try csv.next() else { return nil }
        switch next {
        case .failure(let problem):
            return ImportRow(file: part.name, line: problem.line) { throw RowError(problem.message) }
        case .success(let row):
            return ImportRow(file: part.name, line: row.line) { try events(row) }
        }
    }

    private mutating func events(_ row: CSVRow) throws -> [ImportedEvent] {
        guard row.count > columns.count else {
            throw RowError("it has \(counted(row.count, "field")), but \(counted(columns.count, "habit"))")
        }
        let day = Names.trimmed(row.text(0) ?? "")
        guard day.utf8.count == 10, let moment = times.moment(day) else {
            throw RowError("'\(day)' is not a day; Loop writes 2026-03-01")
        }
        var events: [ImportedEvent] = []
        for (index, habit) in columns.enumerated() {
            let entry = try habit.entry(Names.trimmed(row.text(index + 1) ?? "?"))
            if entry == .nothing {
                if hasNotes, row.count > 2, row.text(2).map(Names.trimmed)?.isEmpty == false { lostNotes += 1 }
                continue
            }
            var draft = EventDraft(
                type: habit.name, timestamp: moment, identity: .named("loop:\(habit.name):\(day)"))
            draft.isAllDay = true
            if case .amount(let number) = entry { draft.properties = [(Self.property, .typed(.number(number)))] }
            if hasNotes, row.count > 2 { draft.notes = row.text(2) }
            events.append(.draft(draft))
        }
        return events
    }
}
