import TrendyData
import TrendyDomain

extension ExportTarget {
    /// Goes through the events that a filter selects, oldest first, shows how far it is, and ends in order at Ctrl-C.
    ///
    /// - Returns: How many there were.
    /// - Throws: What the body throws; ``CommandFailure`` at Ctrl-C, from where a file is left as it was before.
    func forEachEvent(matching filter: EventFilter, _ body: (LocalRecord<Event>) throws -> Void) throws -> Int {
        var filter = filter
        filter.order = .oldestFirst
        // Counting some of many events takes as long as writing them.
        let total = filter == EventFilter(order: .oldestFirst) ? try context.reader.counts()[.event] : nil
        // Drawn over the export itself it would be in the way.
        let isSeparate = path != nil || !context.output.isTerminal
        let progress = isSeparate ? Progress(context, "exporting", unit: "events", total: total) : nil
        let work = StoppableWork(context, progress) { interruption($0, of: total) }
        defer { work.end() }
        try context.root.repository.forEachEvent(matching: filter) { record in
            try work.step()
            try body(record)
        }
        return work.done
    }

    private func interruption(_ count: Int, of total: Int?) -> CommandFailure {
        let share =
            total.map { "\(FigureText.text(count)) of \(FigureText.text($0)) events" }
            ?? FigureText.counted(count, "event")
        guard let file else { return .interrupted("\(share) were written; run the same command again") }
        return .interrupted("\(share) were through, and \(file) is as it was before; run the same command again")
    }
}
