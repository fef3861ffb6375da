import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Puts what a source gives into the store, some thousand rows a transaction, while the next ones are read.
///
/// What is here already, from an earlier import of the same data, is passed over. Unless bad rows are to be skipped,
/// the file is read twice: first to see that every row can go in, then to put them in.
@MainActor
final class ImportPipeline {
    /// How many rows go into one transaction.
    ///
    /// Rows lie all over the indexes, so that each transaction writes most of their pages anew; while one lasts, whoever
    /// else writes waits.
    static let chunkSize = 4000

    /// What a person asks for.
    struct Request {
        /// Whether types and properties that do not exist are made.
        var createsTypes = true
        /// Whether bad rows are reported and passed over, or keep all others out too.
        var skipsBad = false
        /// Whether nothing is to be written.
        var isDryRun = false
        /// How many rows there most likely are, where that is known beforehand.
        var expectedRows: Int?
        /// Whether records that are here already get the values of the file.
        var updates = false
        /// Whether a person hears what the file says of events that are here already and lack it.
        var tellsIgnored = false
        /// The file that is read, where it is one.
        var file: ImportFile?
    }

    /// What a source may need to make sense of its rows.
    struct Scope {
        let context: CommandContext
        let types: ImportTypes
        let ids: ImportIds
        /// Called again and again by a source that reads all of its file before the first row; throws at Ctrl-C.
        let step: () throws -> Void
    }

    private let context: CommandContext
    private let request: Request
    private var result = ImportResult()
    /// How many rows there are, as far as is known.
    private var total: Int?
    /// How many rows are in the store, with what they stand for, and how many between them are bad.
    private var handed = (rows: 0, bad: 0)
    private var ignored = IgnoredFields()
    private var isWriting = false
    private var underWay: Portion?

    /// Rows that go in while the next ones are read.
    private struct Portion {
        var events: [NamedEvent]
        /// What is handed once they are in.
        var handed: (rows: Int, bad: Int)
        var work: Task<ImportCount, any Error>
    }

    init(context: CommandContext, request: Request) {
        self.context = context
        self.request = request
        total = request.expectedRows
    }

    /// Reads and stores everything that a source gives.
    ///
    /// - Parameter open: Begins to read from the start; called once or twice.
    /// - Throws: ``CommandFailure`` where the source fails, or the task is cancelled; what went in before stays.
    func run(_ open: (Scope) throws -> any ImportSource) async throws -> ImportResult {
        if request.isDryRun || !request.skipsBad {
            try await pass(open, writing: false)
            result.dryRun = request.isDryRun
            if request.isDryRun || result.bad > 0 { return result }
            total = result.rows
        }
        try await pass(open, writing: true)
        return result
    }

    private func pass(_ open: (Scope) throws -> any ImportSource, writing: Bool) async throws {
        result = ImportResult()
        ignored = IgnoredFields()
        isWriting = writing
        // An import is one change to its person, in however many saves it goes in.
        if writing { try context.store.groupForUndo(context.makeId()) }
        let types = try ImportTypes(
            context: context, createsMissing: request.createsTypes, updates: request.updates)
        let ids = try ImportIds(context: context, storing: writing)
        let progress = context.progress(writing ? "importing" : "checking", unit: "rows", total: total)
        defer { progress.end() }
        let before = context.progress("reading", unit: "KB")
        var source = try open(
            Scope(context: context, types: types, ids: ids) {
                do { try self.proceed(before) } catch is CancellationError { throw self.interruption }
            })
        before.end()
        var drafts = try DraftReader(types: types, ids: ids, context: context)
        let target: any ImportTarget =
            if writing {
                ImportWriter(context: context, types: types, updates: request.updates)
            } else if request.isDryRun {
                ImportRehearsal(context: context, types: types)
            } else {
                ImportCheck(types: types)
            }
        do {
            try await transfer(&source, &drafts, to: target, progress)
        } catch {
            // What is under way goes in, so that the message counts it.
            try await settle()
            throw error is CancellationError ? interruption : error
        }
        result.typesCreated = types.created.types
        result.propertiesCreated = types.created.properties
        result.placesCreated = types.created.places
        result.differing += types.differing
        result.remarks = source.remarks + types.remarks + ignored.remarks
        if request.updates {
            (result.updated, result.differing) = (result.differing, 0)
        } else if let remark = result.remarkOnDiffering {
            result.remarks.append(remark)
        }
    }

    private func transfer(
        _ source: inout any ImportSource, _ drafts: inout DraftReader, to target: any ImportTarget,
        _ progress: Progress
    ) async throws {
        var chunk: [NamedEvent] = []
        while let row = try source.next() {
            result.rows += 1
            try proceed(progress)
            do {
                // A row that stands for several events goes in as a whole.
                let events = try row.content.get().map { imported in
                    switch imported {
                    case .draft(let draft): try drafts.event(draft)
                    case .record(let event, let name):
                        NamedEvent(event: event, otherName: name, form: .record)
                    }
                }
                if request.updates { for event in events { try ExportedValues.refuseUnfit(event, in: context) } }
                chunk += events
            } catch let problem as RowProblem {
                result.report(problem, in: row)
                source.refuseLast()
            }
            if chunk.count >= Self.chunkSize { try await hand(&chunk, to: target) }
        }
        try await hand(&chunk, to: target)
        try await settle()
    }

    /// Shows how far it is: in rows where it is known how many there are, else in what is read of the file.
    private func proceed(_ progress: Progress) throws {
        try Task.checkCancellation()
        guard progress.bar.total == nil || progress.bar.unit == "KB", progress.isOn,
            let position = request.file?.position
        else { return progress.advance() }
        progress.show(position.done / 1000, of: position.total / 1000, unit: "KB")
    }

    /// Begins to put rows in, once those before them are in.
    private func hand(_ chunk: inout [NamedEvent], to target: any ImportTarget) async throws {
        try await settle()
        let events = chunk
        chunk.removeAll()
        chunk.reserveCapacity(Self.chunkSize)
        underWay = Portion(
            events: events, handed: (result.rows - result.bad, result.bad),
            work: Task { try await target.take(events) })
        // The store works on another thread as soon as it has begun.
        await Task.yield()
    }

    /// Waits for what is under way, and counts it.
    private func settle() async throws {
        guard let portion = underWay else { return }
        underWay = nil
        let count = try await portion.work.value
        result.imported += count.new
        result.unchanged += portion.events.count - count.new - (request.updates ? count.differing : 0)
        result.differing += count.differing
        if request.tellsIgnored, count.new < portion.events.count {
            try ignored.look(at: portion.events, in: context)
        }
        if isWriting { handed = portion.handed }
    }

    /// Says what was done before Ctrl-C: the rows that were handed on are in, those read since are not.
    private var interruption: CommandFailure {
        Self.interruption(handed: handed, unchanged: result.unchanged, total: total)
    }
}

extension ImportPipeline {
    /// Says how far an import came that is cut off.
    ///
    /// - Parameters:
    ///   - handed: How many rows are in the store, and how many bad ones were passed over before the last of them.
    ///   - unchanged: How many events were here already.
    ///   - total: How many rows there are, where that is known.
    nonisolated static func interruption(
        handed: (rows: Int, bad: Int), unchanged: Int, total: Int?
    ) -> CommandFailure {
        if handed.rows == 0 { return .interrupted("nothing is imported yet; run the same command again") }
        let rows = FigureText.text(handed.rows)
        var text = total.map { "\(rows) of \(FigureText.text($0)) rows are" } ?? "\(rows) rows are"
        text += " imported"
        if handed.bad > 0 { text += ", \(FigureText.text(handed.bad)) bad ones are not" }
        if unchanged > 0 { text += ", \(FigureText.text(unchanged)) of their events were here already" }
        return .interrupted(text + "; run the same command again to go on")
    }
}

/// Where the events of an import go.
@MainActor
protocol ImportTarget {
    /// Takes events with what they need, and answers how many were new, or here with other values.
    func take(_ events: [NamedEvent]) async throws -> ImportCount
}
