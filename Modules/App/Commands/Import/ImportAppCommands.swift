import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportLoopCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loop", abstract: "Import the CSV export of Loop Habit Tracker.",
        discussion: """
            Reads the folder of the unpacked zip file, or a Checkmarks.csv in it (Loop 1.7
            to 2.3). Each habit becomes a type with the habit's colour. Each day on which
            you did it becomes an all-day event. An amount becomes the property 'value'.
            Days that Loop filled in by itself are left out.

            Example:
              unzip 'Loop Habits CSV 2026-03-01.zip' -d loop && trendy import loop loop
            """)

    @Argument(help: "The folder, or a Checkmarks.csv.")
    var folder: String

    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let folder = try LoopFolder(folder, context: context)
        let rows = context.errors.isTerminal ? try folder.countRows(context) : nil
        let run = ImportRun(context: context, options: options, expectedRows: rows)
        try await run.run { try folder.source($0) }
    }
}

struct ImportDaylioCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daylio", abstract: "Import the CSV export of Daylio.",
        discussion: """
            Each entry becomes an event with the properties mood, activities and scales.
            The import reads the columns full_date, time, mood, activities, scales,
            note_title and note.

            Example:
              trendy import daylio daylio_export_2026_03_01.csv --split-activities
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "The type of the entries.")
    var type = "mood"

    @Flag(name: .customLong("split-activities"), help: "Also log each activity as an event of its own type.")
    var splitActivities = false

    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let file = try ImportFile(file, context: context)
        try file.require([.daylio, .text, .empty], "CSV export of Daylio")
        try await ImportRun(context: context, options: options, file: file).run { _ in
            try DaylioSource(
                try file.source(), type: type, splitsActivities: splitActivities, times: context.times)
        }
    }
}

struct ImportTimewarriorCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timewarrior", abstract: "Import the intervals of timewarrior.",
        discussion: """
            Reads the output of 'timew export', or timewarrior's data files (1.0 to 1.9).
            The first tag becomes the type; without tags the type is 'time'. The annotation
            becomes the note.

            Examples:
              timew export | trendy import timewarrior -
              cat ~/.timewarrior/data/*.data | trendy import timewarrior -
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "Use this type for all intervals; all tags go to the property 'tags'.")
    var type: String?

    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let file = try ImportFile(file, context: context)
        try file.require([.timewarrior, .emptyArray, .empty], "export of timewarrior")
        try await ImportRun(context: context, options: options, file: file).run { _ in
            try TimewarriorSource(type: type) { try file.source() }
        }
    }
}

struct ImportJrnlCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jrnl", abstract: "Import the entries of jrnl.",
        discussion: """
            Reads the output of 'jrnl --format json', or 'jrnl --export json' in old
            versions (jrnl 1.9 to 4.2). Title and body become the note; tags and stars
            become properties.

            Example:
              jrnl --format json | trendy import jrnl -
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "The type of the entries.")
    var type = "journal"

    @OptionGroup var options: ImportOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let file = try ImportFile(file, context: context)
        try file.require(
            [.jrnl, .emptyArray], "JSON export of jrnl",
            textAdvice: "import a journal with 'jrnl --format json | trendy import jrnl -'")
        try await ImportRun(context: context, options: options, file: file).run { _ in
            JrnlSource(try file.source(), type: type, times: context.times)
        }
    }
}
