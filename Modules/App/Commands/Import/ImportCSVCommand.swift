import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

extension DateOrder: ExpressibleByArgument {}

struct ImportCSVCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Import a CSV file. Shows how it uses the columns, and asks.",
        discussion: """
            Example:
              trendy import csv runs.csv --time start --type =run --prop km=distance
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "The column with the time, or the day.")
    var time: String?

    @Option(name: .long, help: "The column with the time of day, if it is separate.")
    var clock: String?

    @Option(name: .long, help: "The order of dates like 3/4/2026: dmy or mdy.")
    var dates: DateOrder?

    @Option(name: .long, help: "The column with the type, or =NAME for one type.")
    var type: String?

    @Option(name: .long, help: "The column with the end.")
    var until: String?

    @Option(name: .long, help: "The column with the note.")
    var note: String?

    @Option(name: .long, help: "The column with yes for all-day events, or =yes.")
    var allDay: String?

    @Option(name: .long, help: "The column with the name of the location.")
    var location: String?

    @Option(name: .long, help: ArgumentHelp("The column with the latitude.", discussion: Self.bothDegrees))
    var lat: String?

    @Option(name: .long, help: ArgumentHelp("The column with the longitude.", discussion: Self.bothDegrees))
    var lon: String?

    private static let bothDegrees = "The columns with the latitude and longitude."

    @Option(name: .long, help: "A property and its column: KEY=COLUMN; repeatable.")
    var prop: [String] = []

    @Option(name: .long, help: "The column with a permanent id of the row.")
    var id: String?

    @Option(name: .long, help: "The field separator: a character, or 'tab'.")
    var delimiter: String?

    @Flag(name: .shortAndLong, help: "Accept the guessed columns without a question.")
    var yes = false

    @OptionGroup var update: UpdateOption

    @OptionGroup var options: ImportOptions

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let file = try ImportFile(file, context: context)
        try file.require([.text, .daylio, .loop, .wideText, .empty], "CSV file")
        let layout = try layout(of: file, in: context)
        let rows = context.errors.isTerminal ? try file.countRows() - 1 : nil
        let run = ImportRun(
            context: context, options: options, skipsBad: true, expectedRows: rows, updates: update.update,
            tellsIgnored: true)
        try await run.run { scope in
            let source = try CSVSource(
                try file.source(), delimiter: layout.delimiter, columns: layout.columns, times: layout.times,
                types: scope.types, decimal: context.properties.decimal)
            if update.update, !source.isExport {
                throw CommandFailure.usage(
                    "--update works only with a file of 'trendy export csv', and \(file.name) is not one")
            }
            return source
        }
    }

    private struct Layout {
        var delimiter: UInt8
        var columns: ImportColumns.Request
        var times: ColumnTimes
    }

    /// The layout of the file; guesses are shown and confirmed.
    @MainActor
    private func layout(of file: ImportFile, in context: CommandContext) throws -> Layout {
        var request = ImportColumns.Request(
            time: time ?? "", clock: clock, type: type ?? "", until: until, note: note, id: id, allDay: allDay,
            location: location, lat: lat, lon: lon, properties: try properties())
        let separator = try separator()
        var times = ColumnTimes(times: context.times, order: dates, takesEveryNumber: time != nil)
        if time != nil && type != nil {
            let delimiter = try separator ?? CSVLayout.delimiter(of: file, columns: request)
            let dates = try DateOrderFinding(
                in: file, delimiter: delimiter, columns: request.times, asked: dates, times: times)
            try dates.requireOne()
            if let remark = dates.remark { try context.remark(remark) }
            times.order = dates.order
            let days = try DayColumns(times: times).complete(&request, of: file, delimiter: delimiter)
            if let remark = days.remark { try context.remark(remark) }
            // The identity of a row must not depend on whether the columns were named or guessed.
            request.id = try request.id ?? CSVLayout.idColumn(of: file, delimiter: delimiter, times: times)
            if options.createTypes {
                request.kinds = try CSVLayout.kinds(
                    of: request.properties, in: file, delimiter: delimiter, decimal: context.properties.decimal)
            }
            let leftOut = try CSVLayout.leftOut(of: file, delimiter: delimiter, columns: request)
            if !leftOut.isEmpty {
                try context.remark(
                    "columns not imported: \(leftOut.joined(separator: ", ")); import one as a property with --prop KEY=COLUMN"
                )
            }
            return Layout(delimiter: delimiter, columns: request, times: times)
        }
        var layout = try CSVLayout(
            of: file, delimiter: separator, columns: request, times: times,
            known: KnownProperties(
                types: ImportTypes(context: context, createsMissing: false), values: context.properties))
        if !options.createTypes { layout.columns.kinds = [:] }
        try context.errors.line("columns of \(file.name), some of them guessed:")
        for line in FactLines.of(layout.facts) { try context.errors.line("  " + line) }
        try context.errors.flush()
        try layout.dates.requireOne()
        times.order = layout.dates.order
        let canAsk = context.process.input.isTerminal && context.errors.isTerminal
        if canAsk && !yes && !options.dryRun {
            try context.confirmation(false).require("import \(file.name) with these columns")
        }
        return Layout(delimiter: layout.delimiter, columns: layout.columns, times: times)
    }

    private func properties() throws -> [(key: String, column: String)] {
        try prop.map { assignment in
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw CommandFailure.usage("'\(assignment)' is not a property with a column; write --prop KEY=COLUMN")
            }
            return (String(parts[0]), String(parts[1]))
        }
    }

    private func separator() throws -> UInt8? {
        guard let delimiter else { return nil }
        let bytes = Array((delimiter == "tab" ? "\t" : delimiter).utf8)
        guard bytes.count == 1, bytes[0] < 0x80, ![0x22, 0x0A, 0x0D].contains(bytes[0]) else {
            throw CommandFailure.usage("--delimiter takes one character like ';', or 'tab'")
        }
        return bytes[0]
    }
}
