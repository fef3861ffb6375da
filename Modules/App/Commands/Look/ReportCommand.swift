import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

struct ReportCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Write all charts and insights into an HTML page.",
        discussion: """
            Example:
              trendy report
              trendy report run walk --since 2026-01-01 --output year.html
              trendy report --output - | less

            The page is a single file without scripts. It needs no network and can be printed.
            """)

    @OptionGroup var query: QueryArgument

    @Option(name: .long, parsing: .unconditional, help: "Use only events at or after this time.")
    var since: String?

    @Option(
        name: .shortAndLong, parsing: .unconditional,
        help: "The file, or '-' for standard output (default: trendy-report-DATE.html).")
    var output: String?

    @OptionGroup var common: CommonOptions

    func check() throws {
        if output == "" { throw CommandFailure.usage("--output needs a file name, or '-'") }
        if common.json && output == "-" {
            throw CommandFailure.usage("--json needs --output FILE, because the page goes to standard output")
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

    /// Writes the page with a progress display, and returns its contents.
    @MainActor
    private func write(
        to target: ExportTarget, _ query: EventQuery, _ context: CommandContext
    ) async throws -> ReportFigures {
        let total = try await ReportFigures.values(context, query.filter.atAnyTime)
        let progress = context.progress("reading", unit: "values", total: total)
        let work = StoppableWork(progress, listensForSignals: context.process.listensForSignals) { _ in
            let file = target.file.map { ", and \($0) is unchanged" } ?? ""
            return .interrupted("no report was written\(file); run the same command again")
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

/// The contents of a report, as JSON.
private struct ReportJSON: Encodable {
    var file: String
    var events: Int
    /// The first day of the period, if it was given.
    var first: String?
    /// The period of the events, if the report has none.
    var elsewhere: EventDays?
}

/// The destination of a report.
@MainActor
struct ReportTarget {
    /// The file; nil for standard output.
    let path: String?
    /// Whether the person named the file; only then may it replace another one.
    let isNamed: Bool

    /// - Parameter output: A file, or `-` for standard output.
    init(_ output: String?, today: CalendarDay) {
        path = output == "-" ? nil : output ?? "trendy-report-\(today).html"
        isNamed = output != nil
    }

    func target(_ context: CommandContext) -> ExportTarget {
        ExportTarget(path: path, context: context, keepsOther: !isNamed)
    }
}
