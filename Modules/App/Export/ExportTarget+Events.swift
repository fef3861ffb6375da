import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendyTerminal

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
        return .interrupted("\(share) were through, and \(file) is as it was before; run the same command again")
    }
}

extension EventCSV {
    /// What writes the events of a store, with a column for each of its properties.
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
    /// The record with whose it is, where the server has it; an import into another account's store then gives it an id
    /// of its own.
    ///
    /// A store does not keep it with each record, because all are one person's.
    func owned(by userId: String?) -> LocalRecord {
        if server.createdAt == nil { return self }
        var record = self
        record.server.userId = userId
        return record
    }
}
