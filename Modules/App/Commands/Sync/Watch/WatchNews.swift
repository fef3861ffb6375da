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

    /// What there is besides the changes that were sent and received: a failure, or counts of what waits for a person.
    private struct Standing: Equatable {
        var text: String?
        /// Whether something is wrong, and not only to be decided.
        var isBroken = false
        /// Whether changes wait for the server's clock.
        var isEarly = false
    }

    private var standing = Standing()

    /// What is new in a report.
    mutating func take(_ report: SyncReport) -> News {
        let moved = report.pushed > 0 || report.pulled > 0 || report.bootstrapped
        return take(Self.standing(report), orElse: moved ? .movement : .nothing)
    }

    /// What is new about a sync that could not begin.
    mutating func take(_ failure: CommandFailure) -> News {
        take(Standing(text: Self.lasting(failure.message), isBroken: true), orElse: .nothing)
    }

    private mutating func take(_ present: Standing, orElse other: News) -> News {
        defer { standing = present }
        if present == standing { return other }
        if present.isBroken { return .trouble }
        return standing.isBroken ? .end : .movement
    }

    /// What is wrong or to be decided, without what changes by the second.
    private static func standing(_ report: SyncReport) -> Standing {
        let reason = lasting(report.error ?? "")
        if let failure = report.failure { return Standing(text: "\(failure.rawValue) \(reason)", isBroken: true) }
        let isEarly = report.early > 0
        let counts = [report.failing, report.parked, report.conflicts, report.quarantined]
        guard counts.contains(where: { $0 > 0 }) else { return Standing(isEarly: isEarly) }
        let isBroken = report.failing + report.parked > 0
        return Standing(text: "\(counts) \(reason)", isBroken: isBroken, isEarly: isEarly && !isBroken)
    }

    /// A text without words that have digits: these may count seconds or tries, or name a single request.
    private static func lasting(_ text: String) -> String {
        text.split(separator: " ").filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
    }
}
