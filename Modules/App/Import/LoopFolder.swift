import Foundation
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

/// The files of an export of Loop Habit Tracker, unpacked.
@MainActor
struct LoopFolder {
    /// A file of days.
    struct Part {
        /// The file as a person calls it.
        let name: String
        let path: String
        /// The habit that it is about; nil where it has a column for each.
        let habit: LoopHabit?
    }

    let habits: LoopHabits
    let parts: [Part]

    /// Looks at a folder, or at one `Checkmarks.csv`.
    ///
    /// - Throws: ``CommandFailure`` where there is no export.
    init(_ path: String, context: CommandContext) throws {
        try FileFailure.requireThere(path)
        let file = URL(fileURLWithPath: path)
        if FileFailure.isFolder(path) {
            habits = try Self.habits(in: file, context)
            parts = try Self.parts(in: file, habits)
            return
        }
        if try Self.isArchive(path, context) {
            throw CommandFailure.data("\(path) is packed; unpack it with 'unzip', and name the folder")
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

    /// How many rows there are at most: a file of days may begin with one of names.
    func countRows(_ context: CommandContext) throws -> Int {
        try parts.reduce(0) { try $0 + ImportFile($1.path, context: context).countRows() }
    }

    /// The days of all files, once there are types for the habits, with their colours.
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
            try scope.types.adopt(
                PropertyDefinition(
                    id: scope.context.makeId(), eventTypeId: type.id, key: LoopFile.property,
                    label: habit.unit.isEmpty ? LoopFile.property : habit.unit, propertyType: .number),
                of: type)
        }
    }

    private static func habits(in folder: URL, _ context: CommandContext) throws -> LoopHabits {
        let path = folder.appendingPathComponent("Habits.csv").path
        guard FileManager.default.fileExists(atPath: path) else { return LoopHabits() }
        return try LoopHabits(ImportFile(path, context: context).source())
    }

    /// The files of single habits, which have notes too; else the one with a column for each.
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
                "\(folder.path) is no export of Loop Habit Tracker: it has no Checkmarks.csv; unpack the zip file into it"
            )
        }
        return [Part(name: "Checkmarks.csv", path: path, habit: nil)]
    }

    /// Whether a folder is called as Loop calls that of a habit: by its position and its name.
    private static func isHabit(_ name: String) -> Bool {
        name.count > 3 && name.prefix(3).allSatisfy(\.isNumber) && name.drop(while: \.isNumber).first == " "
    }

    private static func isArchive(_ path: String, _ context: CommandContext) throws -> Bool {
        try ImportFile(path, context: context).source().next().starts(with: Array("PK".utf8))
    }

    /// Refuses a file whose first column is not that of days.
    private static func requireDays(_ path: String, _ context: CommandContext) throws {
        let file = try ImportFile(path, context: context)
        if try file.kind() == .database {
            throw CommandFailure.data(
                "\(path) is a database, as Loop Habit Tracker's full backup is, and no CSV file; "
                    + "export the habits as CSV in Loop's settings, unpack the zip file, and name the folder")
        }
        try file.require([.loop, .text, .empty], "Checkmarks.csv of Loop Habit Tracker")
        var csv = CSVReader(try file.source(), delimiter: UInt8(ascii: ","))
        let first = ImportColumns.names(try csv.header())?.first ?? ""
        guard first != "Date", context.times.moment(first) == nil || first.utf8.count != 10 else { return }
        throw CommandFailure.data(
            "\(path) is no Checkmarks.csv of Loop Habit Tracker: its first line begins with '\(first.prefix(40))', "
                + "and not with 'Date'; is this the right file?")
    }

    /// Refuses `Scores.csv`, which has the same first line and says of each day how strong a habit is, done or not.
    private static func refuseScores(_ path: String, _ context: CommandContext) throws {
        let name = URL(fileURLWithPath: path).lastPathComponent
        guard try name.lowercased() == "scores.csv" || hasScores(path, context) else { return }
        throw CommandFailure.data(
            "\(path) has the scores of Loop Habit Tracker, how strong a habit is on each day, and not the days on which it "
                + "was done; name the Checkmarks.csv beside it, or the folder of the export")
    }

    /// Whether all values are scores: between 0 and 1, with four digits behind the point. Amounts have three at most.
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
