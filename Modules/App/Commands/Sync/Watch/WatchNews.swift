import TrendyDomain
import TrendyTerminal

/// Which of the many syncs of a watch are worth a line: those that moved something, and each change for the
/// worse or the better.
struct WatchNews {
    private var trouble: String?
    private var isFirst = true

    /// True where the report says something new.
    mutating func isNews(_ report: SyncReport) -> Bool {
        defer { isFirst = false }
        let present = Self.trouble(of: report)
        let differs = present != trouble
        trouble = present
        return isFirst || differs || report.pushed > 0 || report.pulled > 0 || report.bootstrapped
    }

    /// True where a sync could not begin for another reason than the one before.
    mutating func isNews(_ failure: CommandFailure) -> Bool {
        defer { isFirst = false }
        let differs = failure.message != trouble
        trouble = failure.message
        return isFirst || differs
    }

    /// What is wrong, without what changes by the second.
    private static func trouble(of report: SyncReport) -> String? {
        if let failure = report.failure { return failure.rawValue }
        let counts = [report.failing, report.parked, report.conflicts, report.quarantined]
        return counts.contains { $0 > 0 } ? "\(counts)" : nil
    }
}
