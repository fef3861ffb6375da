import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

extension ExportTarget {
    /// Passes on the matching events, oldest first, with a progress display; Ctrl-C stops it cleanly.
    ///
    /// - Returns: The number of events.
    /// - Throws: The error of the body; ``CommandFailure`` at Ctrl-C, which leaves an existing file unchanged.
    func forEachEvent(matching filter: EventFilter, _ body: (LocalRecord<Event>) throws -> Void) throws -> Int {
        var filter = filter
        filter.order = .oldestFirst
        // Counting a filtered part of many events takes as long as writing them.
        let total = filter == EventFilter(order: .oldestFirst) ? try context.reader.counts()[.event] : nil
        // A progress display would disturb an export to the terminal.
        let isSeparate = path != nil || !context.output.isTerminal
        let progress = isSeparate ? context.progress("exporting", unit: "events", total: total) : nil
        let work = StoppableWork(progress, listensForSignals: context.process.listensForSignals) {
            interruption($0, of: total)
        }
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
        return .interrupted("\(share) were read, and \(file) is unchanged; run the same command again")
    }
}

extension EventCSV {
    /// Creates the CSV of a store's events, with a column for each property.
    init(context: CommandContext) throws {
        self.init(
            typeNames: try context.typeNames,
            keys: Set(try context.reader.fetch(PropertyDefinition.self).map(\.entity.key)))
    }
}

extension CommandContext {
    /// The names of the types by their ids.
    var typeNames: [String: String] {
        get throws {
            let types = try reader.fetch(EventType.self)
            return Dictionary(types.map { ($0.id, $0.entity.name) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension LocalRecord {
    /// The record with its owner, if the server has it. An import into another account then gives it a new id.
    ///
    /// The store has one owner for all records, so it is not stored with each of them.
    func owned(by userId: String?) -> LocalRecord {
        if server.createdAt == nil { return self }
        var record = self
        record.server.userId = userId
        return record
    }
}
