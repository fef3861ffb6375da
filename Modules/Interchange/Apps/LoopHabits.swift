import TrendyDomain
import TrendyNotation

/// A habit of Loop Habit Tracker.
package struct LoopHabit {
    package var name: String
    /// Whether its days have numbers; nil if the export does not say.
    package var isNumerical: Bool?
    package var color = EventType.defaultColor
    package var unit = ""

    /// The value of a day.
    package enum Entry: Equatable {
        case done
        /// The habit was done, with this amount.
        case amount(Double)
        /// The habit was not done, was skipped, or counts only because of other days.
        case nothing
    }

    /// Reads a value of Loop: names since version 2.1, numbers before that, and thousandths for amounts.
    ///
    /// - Throws: ``RowError`` for anything else.
    package func entry(_ text: String) throws(RowError) -> Entry {
        switch text {
        case "YES_MANUAL": return isNumerical == true ? .amount(0.002) : .done
        case "", "YES_AUTO", "NO", "SKIP", "UNKNOWN": return .nothing
        default: break
        }
        guard let number = NumberText.parse(text) else {
            throw RowError(
                "'\(text)' is not a value of a habit: Loop writes YES_MANUAL, NO and the like, or a number")
        }
        if text.contains(".") { return number > 0 ? .amount(number) : .nothing }
        if isNumerical != true, number <= 3 { return number == 2 ? .done : .nothing }
        guard isNumerical != false else {
            throw RowError("'\(text)' is not a value of '\(name)', which is a yes/no habit")
        }
        return number > 0 ? .amount(number / 1000) : .nothing
    }
}

/// The habits in the `Habits.csv` of an export, by their positions.
package struct LoopHabits {
    private var byPosition: [Int: LoopHabit] = [:]
    private var byName: [String: LoopHabit] = [:]

    /// No habits, for an export without the list.
    package init() {}

    /// Reads the list. It knows the columns of Loop 1.7 to 2.3.
    ///
    /// - Throws: ``InputError`` if the file cannot be read or has other columns.
    package init(_ bytes: some ByteSource) throws {
        var csv = CSVReader(bytes, delimiter: UInt8(ascii: ","))
        let names = ImportColumns.names(try csv.header()) ?? []
        guard let name = names.firstIndex(of: "Name") else {
            throw InputError.data("Habits.csv has no column 'Name'; export the habits from Loop Habit Tracker again")
        }
        let place = { (column: String) in names.firstIndex(of: column) }
        while let next = try csv.next() {
            guard case .success(let row) = next, row.count > name, let text = row.text(name) else { continue }
            let field = { (column: String) -> String? in
                guard let place = place(column), place < row.count else { return nil }
                return row.text(place).flatMap { $0.isEmpty ? nil : $0 }
            }
            var habit = LoopHabit(name: Names.trimmed(text))
            habit.isNumerical = field("Type").map { $0 == "NUMERICAL" }
            habit.color = field("Color") ?? habit.color
            habit.unit = field("Unit") ?? ""
            if let position = field("Position").flatMap({ Int($0) }) { byPosition[position] = habit }
            byName[habit.name] = habit
        }
    }

    /// All habits, in their order.
    package var all: [LoopHabit] {
        byPosition.isEmpty
            ? byName.values.sorted { $0.name < $1.name } : byPosition.sorted { $0.key < $1.key }.map(\.value)
    }

    package func habit(named name: String) -> LoopHabit { byName[name] ?? LoopHabit(name: name) }

    /// The habit of a folder like `001 Meditate`; the folder name has only ASCII letters and digits.
    package func habit(ofFolder folder: String) -> LoopHabit {
        let parts = folder.split(separator: " ", maxSplits: 1)
        if let position = parts.first.flatMap({ Int($0) }) {
            if let habit = byPosition[position] { return habit }
            if parts.count == 2 { return LoopHabit(name: String(parts[1])) }
        }
        return LoopHabit(name: folder)
    }
}
