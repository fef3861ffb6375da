import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Finds out whether a CSV file begins with a row of data where the names of its columns belong.
@MainActor
struct MissingNames {
    /// What the first line has.
    let names: [String]
    /// Some rows with as many fields.
    let rows: [[String]]
    let times: ColumnTimes
    /// What is between the fields.
    let delimiter: UInt8

    /// Refuses a file without names: its first row would be lost.
    ///
    /// - Parameter named: The columns that the person names, which are meant whatever they are called.
    /// - Throws: ``CommandFailure`` where a time stands for a name, above more times.
    func refuse(beside named: [String]) throws {
        let meant = Set(named.map(Names.trimmed))
        guard let index = names.indices.first(where: { !meant.contains(names[$0]) && isData($0) }) else { return }
        throw CommandFailure.data(
            "the first line has data (\(names[index])), not names of columns; put a line like \(example) above it")
    }

    /// Tables that have a column for each day have days for names, too, but no times below them.
    private func isData(_ index: Int) -> Bool {
        guard isFullTime(names[index]) else { return false }
        let filled = rows.map { Names.trimmed($0[index]) }.filter { !$0.isEmpty }
        if filled.isEmpty { return rows.isEmpty }
        return filled.count(where: isFullTime) * 2 >= filled.count
    }

    private func isFullTime(_ text: String) -> Bool {
        !ClockTime.isAlone(in: text) && times.canBeMoment(text)
    }

    private var example: String {
        let names = ["time", "type", "note"]
        if delimiter == UInt8(ascii: "\t") { return names.joined(separator: " ") + " (with tabs between)" }
        return names.joined(separator: String(UnicodeScalar(delimiter)))
    }
}
