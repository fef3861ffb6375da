import ArgumentParser
import TrendyData
import TrendyDomain

struct ExportCSVCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Write the events as CSV, oldest first.",
        discussion: """
            Example:
              trendy export csv --output events.csv
            What was exported can be imported elsewhere, with the types and properties
            that it needs:
              trendy import csv events.csv
            'export json' is the exact form: it has all types, properties and places as
            they are.
            """)

    @Option(name: .shortAndLong, help: "The file; standard output otherwise.")
    var output: String?

    @OptionGroup var common: CommonOptions

    func check() throws {
        if common.json && output == nil {
            throw CommandFailure.usage(
                "--json needs --output FILE here: the CSV itself goes to standard output")
        }
    }

    func run(in context: CommandContext) async throws {
        var csv = try EventCSV(context: context)
        var count = 0
        let export = ExportTarget(path: output, context: context)
        try export.write { target in
            try target.write(csv.header())
            count = try export.forEachEvent { try target.write(try csv.row($0)) }
        }
        if let output {
            try context.say(
                "wrote \(counted(count, "event")) to \(output)", json: Exported(file: output, events: count))
        }
    }
}

/// What was exported, as JSON.
struct Exported: Encodable {
    var file: String
    var events: Int
}
