import TrendyDomain
import TrendyTerminal

/// Which of the many syncs of a watch are worth a line.
struct WatchNews {
    /// What is new.
    enum News {
        case nothing
        /// Something was sent or received.
        case movement
        /// Something is wrong that was not before.
        case trouble
        /// What was wrong is wrong no more.
        case end
    }

    private var trouble: String?

    /// What is new in a report.
    mutating func take(_ report: SyncReport) -> News {
        let moved = report.pushed > 0 || report.pulled > 0 || report.bootstrapped
        return take(Self.trouble(of: report), orElse: moved ? .movement : .nothing)
    }

    /// What is new about a sync that could not begin.
    mutating func take(_ failure: CommandFailure) -> News { take(failure.message, orElse: .nothing) }

    private mutating func take(_ present: String?, orElse other: News) -> News {
        defer { trouble = present }
        if present == trouble { return other }
        return present == nil ? .end : .trouble
    }

    /// What is wrong, without what changes by the second.
    private static func trouble(of report: SyncReport) -> String? {
        if let failure = report.failure { return failure.rawValue }
        let counts = [report.failing, report.parked, report.conflicts, report.quarantined]
        return counts.contains { $0 > 0 } ? "\(counts)" : nil
    }
}
