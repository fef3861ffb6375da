import Foundation
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

/// The unpacked files of an export of Loop Habit Tracker.
@MainActor
struct LoopFolder {
    /// A file of days.
    struct Part {
        /// The name for messages.
        let name: String
        let path: String
        /// The habit of the file; nil if it has a column for each habit.
        let habit: LoopHabit?
    }

    let habits: LoopHabits
    let parts: [Part]

    /// Opens a folder, or a single `Checkmarks.csv`.
    ///
    /// - Throws: ``CommandFailure`` if it is not an export.
    init(_ path: String, context: CommandContext) throws {
        try FileFailure.requireThere(path)
        let file = URL(fileURLWithPath: path)
        if FileFailure.isFolder(path) {
            habits = try Self.habits(in: file, context)
            parts = try Self.parts(in: file, habits)
            return
        }
        if try Self.isArchive(path, context) {
            throw CommandFailure.data("\(path) is an archive; unpack it with 'unzip', and name the folder")
        }
        try Self.requireDays(path, context)
        try Self.refuseScores(path, context)
        let folder = file.deletingLastPathComponent()
        let outer = folder.deletingLastPathComponent()
        if try Self.hasColumnForEach(path, context) {
            habits = try Self.habits(in: folder, context)
            parts = [Part(name: path, path: path, habit: nil)]
        } else {
            habits = try Self.habits(in: outer, context)
            parts = [Part(name: path, path: path, habit: habits.habit(ofFolder: folder.lastPathComponent))]
        }
    }

    /// The maximum number of rows; a file can begin with a row of names.
    func countRows(_ context: CommandContext) throws -> Int {
        try parts.reduce(0) { try $0 + ImportFile($1.path, context: context).countRows() }
    }

    /// The source of the days of all files, after creating the types of the habits with their colours.
    func source(_ scope: ImportPipeline.Scope) throws -> LoopSource {
        if scope.types.createsMissing { try makeTypes(scope) }
        let context = scope.context
        let files = parts.map { part in
            LoopFile.Part(name: part.name, habit: part.habit) { try ImportFile(part.path, context: context).source() }
        }
        return LoopSource(files, habits: habits, times: context.times)
    }

    private func makeTypes(_ scope: ImportPipeline.Scope) throws {
        for habit in habits.all {
            let fresh = EventType(id: scope.context.makeId(), name: Names.plain(habit.name), color: habit.color)
            guard Names.obstacle(to: fresh.name) == nil, (try? fresh.validate()) != nil else { continue }
            let type = try scope.types.adopt(fresh)
            guard habit.isNumerical == true else { continue }
            let amount = PropertyDefinition(
                id: scope.context.makeId(), eventTypeId: type.id, key: LoopFile.property,
                label: habit.unit.isEmpty ? LoopFile.property : habit.unit, propertyType: .number)
            do { try amount.validate() } catch {
                throw CommandFailure.data(
                    "the unit of the habit '\(fresh.name)' in Habits.csv cannot be kept: \(error)")
            }
            try scope.types.adopt(amount, of: type)
        }
    }

    private static func habits(in folder: URL, _ context: CommandContext) throws -> LoopHabits {
        let path = folder.appendingPathComponent("Habits.csv").path
        guard FileManager.default.fileExists(atPath: path) else { return LoopHabits() }
        return try LoopHabits(ImportFile(path, context: context).source())
    }

    /// The files of the single habits, which have notes, too; otherwise the common file.
    private static func parts(in folder: URL, _ habits: LoopHabits) throws -> [Part] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let single = names.filter(isHabit).compactMap { name -> Part? in
            let path = folder.appendingPathComponent(name).appendingPathComponent("Checkmarks.csv").path
            guard FileManager.default.fileExists(atPath: path) else { return nil }
            return Part(name: "\(name)/Checkmarks.csv", path: path, habit: habits.habit(ofFolder: name))
        }
        if !single.isEmpty { return single }
        let path = folder.appendingPathComponent("Checkmarks.csv").path
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure.data(
                "\(folder.path) is not an export of Loop Habit Tracker: it has no Checkmarks.csv; unpack the zip file into it"
            )
        }
        return [Part(name: "Checkmarks.csv", path: path, habit: nil)]
    }

    /// Whether a folder has a name like those that Loop gives to habits: the position and the name.
    private static func isHabit(_ name: String) -> Bool {
        name.count > 3 && name.prefix(3).allSatisfy(\.isNumber) && name.drop(while: \.isNumber).first == " "
    }

    private static func isArchive(_ path: String, _ context: CommandContext) throws -> Bool {
        try ImportFile(path, context: context).source().next().starts(with: Array("PK".utf8))
    }

    /// Refuses a file whose first column does not have days.
    private static func requireDays(_ path: String, _ context: CommandContext) throws {
        let file = try ImportFile(path, context: context)
        if try file.kind() == .database {
            throw CommandFailure.data(
                "\(path) is a database, like the full backup of Loop Habit Tracker, and not a CSV file; "
                    + "export the habits as CSV in Loop's settings, unpack the zip file, and name the folder")
        }
        try file.require([.loop, .text, .empty], "Checkmarks.csv of Loop Habit Tracker")
        var csv = CSVReader(try file.source(), delimiter: UInt8(ascii: ","))
        let first = ImportColumns.names(try csv.header())?.first ?? ""
        guard first != "Date", context.times.moment(first) == nil || first.utf8.count != 10 else { return }
        throw CommandFailure.data(
            "\(path) is not a Checkmarks.csv of Loop Habit Tracker: its first line begins with "
                + "'\(first.prefix(40))', not with 'Date'; name another file")
    }

    /// Refuses `Scores.csv`, which has the same first line, but the strength of a habit on each day.
    private static func refuseScores(_ path: String, _ context: CommandContext) throws {
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard try name.lowercased() == "scores.csv" || hasScores(path, context) else { return }
        throw CommandFailure.data(
            "\(path) has the scores of Loop Habit Tracker, and not the days on which a habit was done; "
                + "name the Checkmarks.csv in the same folder, or the folder of the export")
    }

    /// Whether all values are scores, which have four decimal places between 0 and 1; amounts have at most three.
    private static func hasScores(_ path: String, _ context: CommandContext) throws -> Bool {
        let file = try ImportFile(path, context: context)
        var csv = CSVReader(try file.source(), delimiter: UInt8(ascii: ","))
        var (rows, digits) = (0, 0)
        while rows < 100, let next = try csv.next() {
            guard case .success(let row) = next else { continue }
            rows += 1
            if row.count > 0, row.text(0) == "Date" { continue }
            for column in 1..<max(1, row.count) {
                guard let text = row.text(column).map(Names.trimmed), !text.isEmpty else { continue }
                guard let point = text.firstIndex(of: "."), let number = NumberText.parse(text),
                    (0...1).contains(number)
                else { return false }
                digits = max(digits, text[point...].count - 1)
            }
        }
        return digits > 3
    }

    /// Whether the first row names habits: `Date,Meditate,Run,`. The file of one habit has `Date,Value` or no names.
    private static func hasColumnForEach(_ path: String, _ context: CommandContext) throws -> Bool {
        let file = try ImportFile(path, context: context)
        var csv = CSVReader(try file.source(), delimiter: UInt8(ascii: ","))
        let names = ImportColumns.names(try csv.header()) ?? []
        return names.first == "Date" && names.dropFirst().first != "Value"
    }
}
