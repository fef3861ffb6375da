import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Gives the days of an export of Loop Habit Tracker on which habits were kept, as events of the whole day.
@MainActor
struct LoopSource: ImportSource {
    private let folder: LoopFolder
    private let context: CommandContext
    private var waiting: ArraySlice<LoopFolder.Part>
    private var current: LoopFile?
    /// How many notes the files before had on days that are no events.
    private var lostNotes = 0

    /// Makes types of the habits, with their colours.
    init(_ folder: LoopFolder, scope: ImportPipeline.Scope) throws {
        self.folder = folder
        context = scope.context
        waiting = folder.parts[...]
        guard scope.types.createsMissing else { return }
        for habit in folder.habits.all {
            let fresh = EventType(id: context.makeId(), name: Names.plain(habit.name), color: habit.color)
            guard Names.obstacle(to: fresh.name) == nil, (try? fresh.validate()) != nil else { continue }
            let type = try scope.types.adopt(fresh)
            guard habit.isNumerical == true else { continue }
            try scope.types.adopt(
                PropertyDefinition(
                    id: context.makeId(), eventTypeId: type.id, key: LoopFile.property,
                    label: habit.unit.isEmpty ? LoopFile.property : habit.unit, propertyType: .number),
                of: type)
        }
    }

    var remarks: [String] {
        let count = lostNotes + (current?.lostNotes ?? 0)
        if count == 0 { return [] }
        return [
            "\(counted(count, "note")) left out, on days on which the habit was not done or was skipped: "
                + "such days are no events"
        ]
    }

    mutating func next() throws -> ImportRow? {
        while true {
            if let row = try current?.next() { return row }
            lostNotes += current?.lostNotes ?? 0
            current = nil
            guard let part = waiting.popFirst() else { return nil }
            current = try LoopFile(part, folder.habits, context)
        }
    }
}

/// One file of days.
@MainActor
struct LoopFile {
    /// The key of the property that holds an amount.
    static let property = "value"

    private let part: LoopFolder.Part
    private let times: WhenParser
    private var csv: CSVReader<FileSource>
    /// The habits of the columns after the first.
    private var columns: [LoopHabit]
    /// A first row that is a day already.
    private var first: CSVRow?
    private let hasNotes: Bool
    /// How many notes stand on days that are no events.
    private(set) var lostNotes = 0

    init(_ part: LoopFolder.Part, _ habits: LoopHabits, _ context: CommandContext) throws {
        self.part = part
        times = context.times
        csv = CSVReader(try ImportFile(part.path, context: context).source(), delimiter: UInt8(ascii: ","))
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
            throw CommandFailure.data("\(part.name): its first line names no habits; is this Loop's Checkmarks.csv?")
        }
        // Loop ends each line with a comma.
        columns = names.dropFirst().filter { !$0.isEmpty }.map(habits.habit(named:))
    }

    mutating func next() throws -> ImportRow? {
        if let row = first {
            first = nil
            return ImportRow(file: part.name, line: row.line) { try events(row) }
        }
        guard let next = try csv.next() else { return nil }
        switch next {
        case .failure(let problem):
            return ImportRow(file: part.name, line: problem.line) { throw RowProblem(problem.message) }
        case .success(let row):
            return ImportRow(file: part.name, line: row.line) { try events(row) }
        }
    }

    private mutating func events(_ row: CSVRow) throws -> [ImportedEvent] {
        guard row.count > columns.count else {
            throw RowProblem("it has \(counted(row.count, "field")), but \(counted(columns.count, "habit"))")
        }
        let day = Names.trimmed(row.text(0) ?? "")
        guard day.utf8.count == 10, let moment = times.moment(day) else {
            throw RowProblem("'\(day)' is no day; Loop writes 2026-03-01")
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
