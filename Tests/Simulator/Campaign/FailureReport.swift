/// A failing history as a person wants to see it.
public struct FailureReport: Sendable {
    /// The report.
    public let text: String

    /// - Parameter shrinks: Whether to look for the shortest history that fails in the same way.
    public init(_ failure: History, _ request: HistoryRequest, shrinks: Bool) {
        var lines = [
            "",
            "seed \(failure.seed) with the \(failure.gateway) gateway breaks "
                + failure.violations.map(\.description).joined(separator: "\n  "),
        ]
        var request = request
        if shrinks {
            var shrinker = Shrinker(failure, request)
            request = shrinker.shrink()
            let shortest = request.run(failure.seed)
            lines.append("the shortest history that was found, \(request.steps?.count ?? 0) steps:")
            let end = shortest.trace.lastIndex { $0.hasPrefix("VIOLATION") } ?? shortest.trace.count - 1
            lines += shortest.trace.prefix(end + 1).map { "  \($0)" }
        }
        lines.append("again: \(request.command(failure.seed))")
        text = lines.joined(separator: "\n")
    }
}
