import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync
import TrendyTerminal

/// Stores the rows of a source, several thousand per transaction, while it reads the next ones.
///
/// Events that exist already are skipped. Unless bad rows are skipped, too, the file is read twice: first to check all
/// rows, then to store them.
@MainActor
final class ImportPipeline {
    /// The number of rows per transaction.
    ///
    /// Each transaction rewrites most index pages, so larger ones are faster. But other writers wait during a transaction.
    static let chunkSize = 4000

    /// The options of an import.
    struct Request {
        /// Whether missing types and properties are created.
        var createsTypes = true
        /// Whether bad rows are skipped; otherwise a bad row refuses the whole file.
        var skipsBad = false
        /// Whether nothing is written.
        var isDryRun = false
        /// The expected number of rows, if it is known.
        var expectedRows: Int?
        /// Whether existing records get the values of the file.
        var updates = false
        /// Whether a remark names the fields of the file that existing events lack.
        var tellsIgnored = false
        /// The file, for the progress.
        var file: ImportFile?
    }

    /// The environment that a source needs.
    struct Scope {
        let context: CommandContext
        let types: ImportTypes
        let ids: ImportIds
        /// Called repeatedly while a source reads its file before the first row; throws at Ctrl-C.
        let step: () throws -> Void
    }

    private let context: CommandContext
    private let request: Request
    private var result = ImportResult()
    /// The number of rows, if it is known.
    private var total: Int?
    /// The numbers of stored rows and of bad rows among them.
    private var handed = (rows: 0, bad: 0)
    private var ignored = IgnoredFields()
    private var isWriting = false
    private var underWay: Portion?

    /// Rows that are being stored while the next ones are read.
    private struct Portion {
        var events: [IdentifiedEvent]
        /// The counts after they are stored.
        var handed: (rows: Int, bad: Int)
        var work: Task<ImportCount, any Error>
    }

    init(context: CommandContext, request: Request) {
        self.context = context
        self.request = request
        total = request.expectedRows
    }

    /// Reads and stores all rows of a source.
    ///
    /// - Parameter open: Opens the source at the start of the file; called once or twice.
    /// - Throws: ``CommandFailure`` if the source fails or the task is cancelled; rows that were stored stay.
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
        // An import of several saves is undone as one change.
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
                DryRunTarget(context: context, types: types)
            } else {
                ValidationTarget(types: types)
            }
        do {
            try await transfer(&source, &drafts, to: target, progress)
        } catch {
            // The running transaction ends first, so that the message counts its rows.
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
        var chunk: [IdentifiedEvent] = []
        while let row = try source.next() {
            result.rows += 1
            try proceed(progress)
            do {
                // The events of a row are stored together.
                let events = try row.content.get().map { imported in
                    switch imported {
                    case .draft(let draft): try drafts.event(draft)
                    case .record(let event, let name):
                        IdentifiedEvent(event: event, otherName: name, form: .record)
                    }
                }
                if request.updates { for event in events { try ExportComparison.refuseUnfit(event, in: context) } }
                chunk += events
            } catch let problem as RowError {
                result.report(problem, in: row)
                source.refuseLast()
            }
            if chunk.count >= Self.chunkSize { try await hand(&chunk, to: target) }
        }
        try await hand(&chunk, to: target)
        try await settle()
    }

    /// Shows the progress in rows if their number is known, otherwise in bytes.
    private func proceed(_ progress: Progress) throws {
        try Task.checkCancellation()
        guard progress.bar.total == nil || progress.bar.unit == "KB", progress.isOn,
            let position = request.file?.position
        else { return progress.advance() }
        progress.show(position.done / 1000, of: position.total / 1000, unit: "KB")
    }

    /// Starts to store rows after the previous ones.
    private func hand(_ chunk: inout [IdentifiedEvent], to target: any ImportTarget) async throws {
        try await settle()
        let events = chunk
        chunk.removeAll()
        chunk.reserveCapacity(Self.chunkSize)
        underWay = Portion(
            events: events, handed: (result.rows - result.bad, result.bad),
            work: Task { try await target.take(events) })
        // The store works on another thread as soon as the task has started.
        await Task.yield()
    }

    /// Waits for the running transaction, and counts its rows.
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

    /// The message for Ctrl-C, with the number of stored rows.
    private var interruption: CommandFailure {
        Self.interruption(handed: handed, unchanged: result.unchanged, total: total)
    }
}

extension ImportPipeline {
    /// The message for an interrupted import.
    ///
    /// - Parameters:
    ///   - handed: The numbers of stored rows and of bad rows among them.
    ///   - unchanged: The number of events that existed already.
    ///   - total: The number of rows, if it is known.
    nonisolated static func interruption(
        handed: (rows: Int, bad: Int), unchanged: Int, total: Int?
    ) -> CommandFailure {
        if handed.rows == 0 { return .interrupted("nothing was imported; run the same command again") }
        let rows = FigureText.text(handed.rows)
        var text = total.map { "\(rows) of \(FigureText.text($0)) rows are" } ?? "\(rows) rows are"
        text += " imported"
        if handed.bad > 0 { text += ", without \(FigureText.text(handed.bad)) bad ones" }
        if unchanged > 0 { text += ", \(FigureText.text(unchanged)) of their events existed already" }
        return .interrupted(text + "; run the same command again to continue")
    }
}

/// The destination of the events of an import.
@MainActor
protocol ImportTarget {
    /// Takes events, and returns the numbers of new and of differing ones.
    func take(_ events: [IdentifiedEvent]) async throws -> ImportCount
}
