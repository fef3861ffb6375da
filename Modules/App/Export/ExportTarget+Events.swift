import Synchronization
import TrendyData
import TrendyDomain

extension ExportTarget {
    /// Goes through all events, oldest first, shows how far it is, and ends in order at Ctrl-C.
    ///
    /// - Returns: How many there were.
    /// - Throws: What the body throws; ``CommandFailure`` at Ctrl-C, from where a file is left as it was before.
    func forEachEvent(_ body: (LocalRecord<Event>) throws -> Void) throws -> Int {
        let total = try context.reader.counts()[.event] ?? 0
        // Drawn over the export itself it would be in the way.
        let isSeparate = path != nil || !context.output.isTerminal
        let progress = isSeparate ? Progress(context, "exporting", unit: "events", total: total) : nil
        defer { progress?.end() }
        let stop = StopFlag()
        let signals = context.process.listensForSignals ? StopSignals { stop.raise() } : nil
        defer { signals?.end() }
        var count = 0
        try context.root.repository.forEachEvent(matching: EventFilter(order: .oldestFirst)) { record in
            if stop.isRaised || Task.isCancelled { throw interruption(count, of: total) }
            try body(record)
            count += 1
            progress?.advance()
        }
        return count
    }

    private func interruption(_ count: Int, of total: Int) -> CommandFailure {
        let share = "\(FigureText.text(count)) of \(FigureText.text(total)) events"
        guard let path, case .file? = try? ExportPlace(path).kind else {
            return .interrupted("\(share) were written; run the same command again")
        }
        return .interrupted("\(share) were through, and \(path) is as it was before; run the same command again")
    }
}

/// Says from another thread that work has to stop.
private final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRaised: Bool { flag.load(ordering: .relaxed) }

    func raise() { flag.store(true, ordering: .relaxed) }
}
