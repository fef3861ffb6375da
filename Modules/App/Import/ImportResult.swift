import TrendyInterchange
import TrendyNotation
import TrendyTerminal

/// What came of an import, or would come of it.
struct ImportResult: Encodable {
    /// How many bad rows are told one by one.
    static let problemLimit = 20

    /// A row that could not go in.
    struct LineError: Encodable {
        var file: String?
        var line: Int
        /// What the row is called, where several may be on one line.
        var element: String?
        var message: String

        /// Where the row is, and what is wrong with it.
        var text: String {
            let place = element.map { "\($0) (line \(line))" } ?? "line \(line)"
            return (file.map { "\($0), " } ?? "") + "\(place): \(message)"
        }
    }

    /// True where nothing was written: the other figures say what would have been.
    var dryRun = false
    /// Rows that were read.
    var rows = 0
    /// Events that were made.
    var imported = 0
    /// Events that were here already.
    var unchanged = 0
    /// Records that are here already with other values than in the file, and stayed so.
    var differing = 0
    /// Records that were here already, and got the values of the file.
    var updated = 0
    /// Rows that could not go in.
    var bad = 0
    /// The types that were made.
    var typesCreated: [String] = []
    /// How many definitions of properties were made.
    var propertiesCreated = 0
    /// How many places were made.
    var placesCreated = 0
    /// The first bad rows.
    var errors: [LineError] = []
    /// What else a person has to know.
    var remarks: [String] = []

    private enum CodingKeys: String, CodingKey {
        case rows, imported, unchanged, differing, updated, bad, errors, remarks
        case dryRun = "dry_run"
        case typesCreated = "types_created"
        case propertiesCreated = "properties_created"
        case placesCreated = "places_created"
    }

    mutating func report(_ problem: RowProblem, in row: ImportRow) {
        bad += 1
        guard errors.count < Self.problemLimit else { return }
        errors.append(
            LineError(
                file: row.file, line: row.line, element: row.element, message: TextTable.singleLine(problem.message)))
    }

    /// What a person has to know of records that stayed as they are; nil where none did.
    var remarkOnDiffering: String? {
        if differing == 0 { return nil }
        let verbs = differing == 1 ? ("is", "stays as it is") : ("are", "stay as they are")
        return "\(counted(differing, "record")) \(verbs.0) here already with other values than in the file, and "
            + "\(verbs.1); --update takes the file's"
    }

    /// The result in one sentence.
    var sentence: String {
        var text = "\(dryRun ? "would import" : "imported") \(counted(imported, "event"))"
        if updated > 0 { text += ", \(dryRun ? "would update" : "updated") \(counted(updated, "record"))" }
        if unchanged > 0 { text += ", \(unchanged) here already" }
        var made: [String] = []
        if !typesCreated.isEmpty {
            let names = typesCreated.prefix(5).joined(separator: ", ")
            let rest = typesCreated.count > 5 ? " and \(typesCreated.count - 5) more" : ""
            made.append("\(counted(typesCreated.count, "type")): \(names)\(rest)")
        }
        if propertiesCreated > 0 { made.append(counted(propertiesCreated, "property", "properties")) }
        if placesCreated > 0 { made.append(counted(placesCreated, "place")) }
        if !made.isEmpty { text += "; \(dryRun ? "would make" : "made") " + made.joined(separator: ", ") }
        return dryRun ? text + "; nothing was written" : text
    }
}
