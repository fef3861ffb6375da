import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct ReportCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Write all charts and insights as one HTML page.",
        discussion: """
            Example:
              trendy report
              trendy report run walk --since 2026-01-01 --output year.html
              trendy report --output - | less

            The page is a single file that needs no network and no script. It can be printed.
            """)

    @OptionGroup var query: QueryArgument

    @Option(name: .long, parsing: .unconditional, help: "Only at or after this time.")
    var since: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: "The file, '-' for standard output (default: trendy-report-DATE.html here, unless it is there already).")
    var output: String?

    @OptionGroup var common: CommonOptions

    func check() throws {
        if output == "" { throw CommandFailure.usage("--output needs the name of a file, or '-'") }
        if common.json && output == "-" {
            throw CommandFailure.usage("--json needs a file here: the page itself goes to standard output")
        }
    }

    func run(in context: CommandContext) async throws {
        var texts = query.texts
        texts.since = since
        let query = try context.query(texts)
        let place = ReportTarget(output, today: context.process.zone.day(of: context.now))
        let target = place.target(context)
        try target.requireFree()
        let figures = try await write(to: target, query, context)
        guard let path = place.path, !target.isStandardOutput else { return }
        let events = figures.tally.days.total
        let empty = figures.empty
        let why = empty.map { "; \($0.text())" } ?? ""
        try context.say(
            "wrote a report of \(counted(events, "event")) to \(path)\(why)",
            json: ReportJSON(
                file: path, events: events,
                first: query.filter.since.map { context.process.zone.day(of: $0).description },
                elsewhere: empty?.others))
    }

    /// Writes the page, shows how far it is, and answers what is on it.
    @MainActor
    private func write(
        to target: ExportTarget, _ query: EventQuery, _ context: CommandContext
    ) async throws -> ReportFigures {
        let total = try await ReportFigures.values(context, query.filter.atAnyTime)
        let progress = context.progress("reading", unit: "values", total: total)
        let work = StoppableWork(progress, listensForSignals: context.process.listensForSignals) { _ in
            let file = target.file.map { ", and \($0) is as it was before" } ?? ""
            return .interrupted("no report is written\(file); run the same command again")
        }
        defer { work.end() }
        let figures = try await ReportFigures(context, query, work)
        try target.write { output in
            try ReportPage(figures: figures).write { part in
                try work.step(by: 0)
                try output.write(part)
            }
        }
        return figures
    }
}

/// What a report has, as JSON.
private struct ReportJSON: Encodable {
    var file: String
    var events: Int
    /// The first day that counts, where one was named.
    var first: String?
    /// Where the events are, where none counts.
    var elsewhere: EventDays?
}

/// Where a report goes.
@MainActor
struct ReportTarget {
    /// The file, nil for standard output.
    let path: String?
    /// Whether the file was named: then it may take the place of another.
    let isNamed: Bool

    /// - Parameter output: What was asked for: a file, or `-` for standard output.
    init(_ output: String?, today: CalendarDay) {
        path = output == "-" ? nil : output ?? "trendy-report-\(today).html"
        isNamed = output != nil
    }

    /// What to write to.
    func target(_ context: CommandContext) -> ExportTarget {
        ExportTarget(path: path, context: context, keepsOther: !isNamed)
    }
}
