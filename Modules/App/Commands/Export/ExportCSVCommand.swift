import ArgumentParser

struct ExportCSVCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Write the events as CSV, oldest first.",
        discussion: """
            What was exported can be imported elsewhere, with the types and properties
            that it needs. 'export json' is the exact form: it has all types, properties
            and places as they are.

            Example:
              trendy export csv --output events.csv
              trendy import csv events.csv
            """)

    @OptionGroup var file: ExportFileOptions

    @OptionGroup var query: SearchOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try file.check(isJSON: common.json, "CSV") }

    func run(in context: CommandContext) async throws {
        let filter = try context.query(query.texts).filter
        var csv = try EventCSV(context: context)
        try file.write(in: context) { export, target in
            try target.write(csv.header())
            return try export.forEachEvent(matching: filter) { try target.write(try csv.row($0)) }
        }
    }
}
