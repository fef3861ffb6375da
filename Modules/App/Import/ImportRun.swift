import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

/// The options of every import.
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
    var tellsUntaken = false
    /// The file, to show how far it is where nobody knows how many rows there are.
    var file: ImportFile?

    /// - Parameter open: Begins to read the file from its start.
    /// - Throws: ``CommandFailure`` where rows are bad, after the rest is done and told.
    func run(_ open: @escaping @MainActor (ImportPipeline.Scope) throws -> any ImportSource) async throws {
        let request = ImportPipeline.Request(
            createsTypes: options.createTypes, skipsBad: options.skipBad ?? skipsBad, isDryRun: options.dryRun,
            expectedRows: expectedRows, updates: updates, tellsUntaken: tellsUntaken, file: file)
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
