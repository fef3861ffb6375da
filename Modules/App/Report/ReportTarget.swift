import TrendyDomain
import TrendyTerminal

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
