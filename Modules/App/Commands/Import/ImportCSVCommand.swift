import ArgumentParser
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

struct ImportCSVCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "csv", abstract: "Import a CSV file; importing it again adds nothing.",
        discussion: """
            The first line names the columns. Types that do not exist are made. Bad rows are reported and
            passed over. Times are as for 'log', or seconds since 1970.
            Example:
              trendy import csv runs.csv --time start --type =run --note remarks --prop km=distance
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "The column of the time.")
    var time: String

    @Option(name: .long, help: "The column of the type; =NAME for one type for all rows.")
    var type: String

    @Option(name: .long, help: "The column of the end.")
    var until: String?

    @Option(name: .long, help: "The column of the note.")
    var note: String?

    @Option(name: .long, help: "The column that says whether it took the whole day: yes or no.")
    var allDay: String?

    @Option(name: .long, help: "The column of the name of where it happened.")
    var location: String?

    @Option(name: .long, help: "The column of the degrees north.")
    var lat: String?

    @Option(name: .long, help: "The column of the degrees east.")
    var lon: String?

    @Option(name: .long, help: "A property and its column as KEY=COLUMN; may be repeated.")
    var prop: [String] = []

    @Option(name: .long, help: "The column that names a row for good; else equal rows are recognised.")
    var id: String?

    @Option(name: .long, help: "The character between fields, or 'tab'.")
    var delimiter = ","

    @Flag(name: .customLong("create-types"), inversion: .prefixedNo, help: "Make types that do not exist.")
    var createTypes = true

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let request = ImportColumns.Request(
            time: time, type: type, until: until, note: note, id: id, allDay: allDay, location: location, lat: lat,
            lon: lon, properties: try properties())
        let separator = try separator()
        let descriptor = try openFile(context)
        defer { if file != "-" { close(descriptor) } }
        let source = DescriptorSource(descriptor: descriptor, name: file == "-" ? "standard input" : file)
        let work = CSVImport(context: context, createsTypes: createTypes)
        try await work.run(source, delimiter: separator, columns: request)
        try tell(work.result, in: context)
    }

    private func properties() throws -> [(key: String, column: String)] {
        try prop.map { assignment in
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
                throw CommandFailure.usage("'\(assignment)' is no column of a property; write it as --prop KEY=COLUMN")
            }
            return (String(parts[0]), String(parts[1]))
        }
    }

    private func separator() throws -> UInt8 {
        let bytes = Array((delimiter == "tab" ? "\t" : delimiter).utf8)
        guard bytes.count == 1, bytes[0] < 0x80, ![0x22, 0x0A, 0x0D].contains(bytes[0]) else {
            throw CommandFailure.usage("--delimiter takes one character like ';', or 'tab'")
        }
        return bytes[0]
    }

    @MainActor
    private func openFile(_ context: CommandContext) throws -> Int32 {
        if file == "-" { return context.process.input.descriptor }
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandFailure.data("cannot open \(file): \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    @MainActor
    private func tell(_ result: CSVImport.Result, in context: CommandContext) throws {
        if context.errors.isTerminal && !context.wantsJSON { try context.errors.write("\r\u{1B}[K") }
        for error in result.errors { try context.errors.line("line \(error.line): \(error.message)") }
        if result.bad > result.errors.count {
            try context.errors.line("… and \(result.bad - result.errors.count) more bad rows")
        }
        var sentence = "imported \(counted(result.imported, "event"))"
        if result.unchanged > 0 { sentence += ", \(result.unchanged) here already" }
        if !result.typesCreated.isEmpty {
            let names = result.typesCreated.prefix(5).joined(separator: ", ")
            let rest = result.typesCreated.count > 5 ? " and \(result.typesCreated.count - 5) more" : ""
            sentence += "; made \(counted(result.typesCreated.count, "type")): \(names)\(rest)"
        }
        try context.say(sentence, json: result)
        if result.bad > 0 {
            throw CommandFailure.data(
                "\(counted(result.bad, "row")) of \(result.rows) could not go in; \(counted(result.imported, "event")) went in"
            )
        }
    }
}
