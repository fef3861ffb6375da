import ArgumentParser
import TrendyNotation
import TrendyTerminal

/// Where an export of events goes.
struct ExportFileOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "The file; standard output otherwise.")
    var output: String?

    /// The file; nil for standard output, which `-` names, too.
    private var path: String? { output == "-" ? nil : output }

    /// - Parameter form: What is written, for people: "CSV".
    func check(isJSON: Bool, _ form: String) throws {
        guard isJSON && path == nil else { return }
        throw CommandFailure.usage("--json needs --output FILE here: the \(form) itself goes to standard output")
    }

    /// Writes, and says how much where a file was asked for.
    ///
    /// - Parameters:
    ///   - more: What is written besides events, for people.
    ///   - body: Writes, and answers how many events there were.
    @MainActor
    func write(in context: CommandContext, more: String = "", _ body: (ExportTarget, Output) throws -> Int) throws {
        var events = 0
        let export = ExportTarget(path: path, context: context)
        try export.write { events = try body(export, $0) }
        guard let path, !export.isStandardOutput else { return }
        try context.say(
            "wrote \(counted(events, "event"))\(more) to \(path)", json: Exported(file: path, events: events))
    }
}

/// What was exported, as JSON.
struct Exported: Encodable {
    var file: String
    var events: Int
}
