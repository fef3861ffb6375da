import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportOptions: ParsableArguments {
    @Flag(name: .customLong("dry-run"), help: "Show the result without writing anything.")
    var dryRun = false

    @Flag(
        name: .customLong("skip-bad"), inversion: .prefixedNo,
        help: "Skip and report bad rows, or refuse the whole file.")
    var skipBad: Bool?

    @Flag(
        name: .customLong("create-types"), inversion: .prefixedNo, help: "Create missing types and properties.")
    var createTypes = true
}

/// The option of imports whose records can exist already.
struct UpdateOption: ParsableArguments {
    @Flag(name: .long, help: "Update existing records to the values of the file.")
    var update = false
}

/// Runs an import and prints the result.
@MainActor
struct ImportRun {
    let context: CommandContext
    let options: ImportOptions
    /// The default for bad rows.
    var skipsBad = false
    /// The expected number of rows, for the progress.
    var expectedRows: Int?
    /// Whether existing records get the values of the file.
    var updates = false
    /// Whether a remark names the fields of the file that existing events lack.
    var tellsIgnored = false
    /// The file, for the progress if the number of rows is unknown.
    var file: ImportFile?

    /// - Parameter open: Opens the source at the start of the file.
    /// - Throws: ``CommandFailure`` for bad rows, after the others were imported and reported.
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
                "\(counted(result.bad, "bad row")) of \(result.rows), so nothing was imported; "
                    + "correct the file, or import the others with --skip-bad")
        }
        try context.say(result.sentence, json: result)
        if result.bad > 0 {
            throw CommandFailure.data(
                "\(counted(result.bad, "bad row")) of \(result.rows); "
                    + "\(counted(result.imported, "event")) \(result.dryRun ? "would be imported" : "imported"); "
                    + "correct the rows and import the file again, which adds only missing events")
        }
    }
}

/// The result of an import, or of `--dry-run`.
struct ImportResult: Encodable {
    /// The number of bad rows that are listed.
    static let problemLimit = 20

    /// A bad row.
    struct LineError: Encodable {
        var file: String?
        var line: Int
        /// The name of the row, if several can be on one line.
        var element: String?
        var message: String

        /// The place of the row, and its error.
        var text: String {
            let place = element.map { "\($0) (line \(line))" } ?? "line \(line)"
            return (file.map { "\($0), " } ?? "") + "\(place): \(message)"
        }
    }

    /// Whether nothing was written; then the numbers are those of a real import.
    var dryRun = false
    /// The number of rows.
    var rows = 0
    /// The number of new events.
    var imported = 0
    /// The number of events that existed already.
    var unchanged = 0
    /// The number of existing records with other values than in the file, which were not changed.
    var differing = 0
    /// The number of existing records that got the values of the file.
    var updated = 0
    /// The number of bad rows.
    var bad = 0
    /// The names of the new types.
    var typesCreated: [String] = []
    /// The number of new property definitions.
    var propertiesCreated = 0
    /// The number of new places.
    var placesCreated = 0
    /// The first bad rows.
    var errors: [LineError] = []
    /// Further remarks for the person.
    var remarks: [String] = []

    private enum CodingKeys: String, CodingKey {
        case rows, imported, unchanged, differing, updated, bad, errors, remarks
        case dryRun = "dry_run"
        case typesCreated = "types_created"
        case propertiesCreated = "properties_created"
        case placesCreated = "places_created"
    }

    mutating func report(_ problem: RowError, in row: ImportRow) {
        bad += 1
        guard errors.count < Self.problemLimit else { return }
        errors.append(
            LineError(
                file: row.file, line: row.line, element: row.element, message: TextTable.singleLine(problem.message)))
    }

    /// The remark on existing records with other values; nil for none.
    var remarkOnDiffering: String? {
        if differing == 0 { return nil }
        let verbs = differing == 1 ? ("has", "was") : ("have", "were")
        return "\(counted(differing, "existing record")) \(verbs.0) other values than the file, and "
            + "\(verbs.1) not changed; --update takes the values of the file"
    }

    /// The result in one line.
    var sentence: String {
        var text = "\(dryRun ? "would import" : "imported") \(counted(imported, "event"))"
        if updated > 0 { text += ", \(dryRun ? "would update" : "updated") \(counted(updated, "record"))" }
        if unchanged > 0 { text += ", \(unchanged) already there" }
        var made: [String] = []
        if !typesCreated.isEmpty {
            let names = typesCreated.prefix(5).joined(separator: ", ")
            let rest = typesCreated.count > 5 ? " and \(typesCreated.count - 5) more" : ""
            made.append("\(counted(typesCreated.count, "type")): \(names)\(rest)")
        }
        if propertiesCreated > 0 { made.append(counted(propertiesCreated, "property", "properties")) }
        if placesCreated > 0 { made.append(counted(placesCreated, "place")) }
        if !made.isEmpty { text += "; \(dryRun ? "would create" : "created") " + made.joined(separator: ", ") }
        return dryRun ? text + "; nothing was written" : text
    }
}
