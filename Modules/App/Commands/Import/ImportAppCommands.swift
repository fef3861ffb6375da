import ArgumentParser
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

struct ImportLoopCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loop", abstract: "Import the CSV export of Loop Habit Tracker.",
        discussion: """
            Takes the folder into which the zip file was unpacked, or one Checkmarks.csv
            of it (Loop 1.7 to 2.3). A habit becomes a type with its colour, a day on
            which it was done an event of the whole day; amounts become the property
            'value'. Days that Loop counts by itself are left out.

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
            An entry becomes an event with the properties mood, activities and, where
            there are some, scales. Understood are the columns full_date, time, mood,
            activities, scales, note_title and note.

            Example:
              trendy import daylio daylio_export_2026_03_01.csv --split-activities
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "The type of the entries.")
    var type = "mood"

    @Flag(name: .customLong("split-activities"), help: "Make each activity an event of its own type too.")
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
            Takes what 'timew export' prints, or the lines of its data files (timewarrior
            1.0 to 1.9). The first tag is the type, 'time' without one; the annotation
            becomes the note.

            Examples:
              timew export | trendy import timewarrior -
              cat ~/.timewarrior/data/*.data | trendy import timewarrior -
            """)

    @Argument(help: "The file; - for standard input.")
    var file: String

    @Option(name: .long, help: "The type of all intervals; all tags are then the property 'tags'.")
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
            Takes what 'jrnl --format json' prints ('--export json' in older versions;
            jrnl 1.9 to 4.2). Title and body become the note; tags and stars become
            properties.

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
            textAdvice: "'jrnl --format json | trendy import jrnl -' takes the entries of a journal")
        try await ImportRun(context: context, options: options, file: file).run { _ in
            JrnlSource(try file.source(), type: type, times: context.times)
        }
    }
}
