import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

extension ExportTarget {
    /// Goes through all events, oldest first, shows how far it is, and ends in order at Ctrl-C.
    ///
    /// - Returns: How many there were.
    /// - Throws: What the body throws; ``CommandFailure`` at Ctrl-C, from where a file is left as it was before.
    func forEachEvent(_ body: (LocalRecord<Event>) throws -> Void) throws -> Int {
        let total = try context.reader.counts()[.event] ?? 0
        // Drawn over the export itself it would be in the way.
        let isSeparate = path != nil || !context.output.isTerminal
        let progress = isSeparate ? context.progress("exporting", unit: "events", total: total) : nil
        let work = StoppableWork(progress, listensForSignals: context.process.listensForSignals) {
            interruption($0, of: total)
        }
        defer { work.end() }
        try context.root.repository.forEachEvent(matching: EventFilter(order: .oldestFirst)) { record in
            try work.step()
            try body(record)
        }
        return work.done
    }

    private func interruption(_ count: Int, of total: Int) -> CommandFailure {
        let share = "\(FigureText.text(count)) of \(FigureText.text(total)) events"
        guard let file else { return .interrupted("\(share) were written; run the same command again") }
        return .interrupted("\(share) were through, and \(file) is as it was before; run the same command again")
    }
}
