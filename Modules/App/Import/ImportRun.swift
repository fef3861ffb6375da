import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportOptions: ParsableArguments {
    @Flag(name: .customLong("dry-run"), help: "Say what would be imported, and write nothing.")
    var dryRun = false

    @Flag(
        name: .customLong("skip-bad"), inversion: .prefixedNo,
        help: "Report bad rows and import the others, or refuse the whole file. [default: see below]")
    var skipBad: Bool?

    @Flag(
        name: .customLong("create-types"), inversion: .prefixedNo, help: "Make types and properties that do not exist.")
    var createTypes = true
}

/// What an import of records that may be here already can be told.
struct UpdateOption: ParsableArguments {
    @Flag(name: .long, help: "Give records that are here the file's values.")
    var update = false
}

/// Runs an import and tells what came of it.
@MainActor
struct ImportRun {
    let context: CommandContext
    let options: ImportOptions
    /// What counts where the person says nothing about bad rows.
    var skipsBad = false
    /// How many rows there most likely are, to show how far the import is.
    var expectedRows: Int?
    /// Whether records that are here already get the values of the file.
    var updates = false
    /// Whether a person hears what the file says of events that are here already and lack it.
    var tellsIgnored = false
    /// The file, to show how far it is where nobody knows how many rows there are.
    var file: ImportFile?

    /// - Parameter open: Begins to read the file from its start.
    /// - Throws: ``CommandFailure`` where rows are bad, after the rest is done and told.
    func run(_ open: @escaping @MainActor (ImportPipeline.Scope) throws -> any ImportSource) async throws {
        let request = ImportPipeline.Request(
            createsTypes: options.createTypes, skipsBad: options.skipBad ?? skipsBad, isDryRun: options.dryRun,
            expectedRows: expectedRows, updates: updates, tellsIgnored: tellsIgnored, file: file)
        let pipeline = ImportPipeline(context: context, request: request)
        let result = try await context.interruption.during { try await pipeline.run(open) }
        try tell(result, isRefused: result.bad > 0 && !request.skipsBad)
    }

    private func tell(_ result: ImportResult, isRefused: Bool) throws {
        for error in result.errors { try context.errors.line(error.text) }
        if result.bad > result.errors.count {
            try context.errors.line("… and \(result.bad - result.errors.count) more bad rows")
        }
        for remark in result.remarks { try context.remark(remark) }
        if isRefused {
            var refused = result
            if !result.dryRun {
                refused = ImportResult()
                (refused.rows, refused.bad, refused.errors) = (result.rows, result.bad, result.errors)
            }
            if context.wantsJSON { try context.output.json(refused) }
            throw CommandFailure.data(
                "\(counted(result.bad, "row")) of \(result.rows) cannot go in, so nothing was imported; "
                    + "mend the file, or import the others with --skip-bad")
        }
        try context.say(result.sentence, json: result)
        if result.bad > 0 {
            throw CommandFailure.data(
                "\(counted(result.bad, "row")) of \(result.rows) could not go in; "
                    + "\(counted(result.imported, "event")) \(result.dryRun ? "could" : "went in"); "
                    + "mend them and import the file again, which adds only what is not here yet")
        }
    }
}

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
