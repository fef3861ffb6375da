import TrendyData
import TrendyDomain
import TrendySync

/// Puts the rows of a CSV file in as events, a thousand a transaction.
///
/// A row that cannot go in is reported with its line and passed over. A row that is here already, from an
/// earlier import of the same data, is passed over too.
@MainActor
final class CSVImport {
    /// How many rows go into one transaction.
    static let chunkSize = 1000
    /// How many bad rows are told one by one.
    static let problemLimit = 20

    /// What came of an import.
    struct Result: Encodable {
        /// Rows that were read.
        var rows = 0
        /// Events that were made.
        var imported = 0
        /// Rows whose events were here already.
        var unchanged = 0
        /// Rows that could not go in.
        var bad = 0
        /// The types that were made.
        var typesCreated: [String] = []
        /// The first bad rows.
        var errors: [LineError] = []

        private enum CodingKeys: String, CodingKey {
            case rows, imported, unchanged, bad, errors
            case typesCreated = "types_created"
        }
    }

    struct LineError: Encodable {
        var line: Int
        var message: String
    }

    private let context: CommandContext
    private let createsTypes: Bool
    private(set) var result = Result()

    init(context: CommandContext, createsTypes: Bool) {
        self.context = context
        self.createsTypes = createsTypes
    }

    /// Reads and stores everything that a source gives.
    ///
    /// - Throws: ``CommandFailure`` where the columns are missing or the source fails; what went in before stays.
    func run(
        _ source: some ByteSource, delimiter: UInt8, columns request: ImportColumns.Request
    ) async throws {
        var csv = CSVReader(source, delimiter: delimiter)
        let header = try header(&csv)
        let types = try ImportTypes(context: context, createsMissing: createsTypes)
        // An import is one change to its person, in however many saves it goes in.
        try context.store.groupForUndo(context.makeId())
        var rows = RowReader(
            columns: try ImportColumns(request, header: header), types: types,
            ids: try ImportIds(context: context), context: context)
        var chunk: [Event] = []
        while let next = try csv.next() {
            result.rows += 1
            do {
                chunk.append(try rows.event(try next.get()))
            } catch let problem as CSVProblem {
                report(problem.line, problem.message)
            } catch let problem as RowProblem {
                let line = (try? next.get().line) ?? 0
                report(line, problem.message)
            }
            if chunk.count == Self.chunkSize { try await store(&chunk, types) }
        }
        try await store(&chunk, types)
        result.typesCreated = types.createdNames
    }

    private func header(_ csv: inout CSVReader<some ByteSource>) throws -> CSVRow {
        switch try csv.next() {
        case .success(let row): return row
        case .failure(let problem): throw CommandFailure.data("line \(problem.line): \(problem.message)")
        case nil: throw CommandFailure.data("the file is empty; its first line must name the columns")
        }
    }

    private func store(_ chunk: inout [Event], _ types: ImportTypes) async throws {
        let ids = chunk.compactMap(\.externalId)
        var known = try context.root.repository.existingExternalIds(among: ids)
        var fresh: [Event] = []
        for event in chunk {
            if let id = event.externalId, !known.insert(id).inserted { continue }
            fresh.append(event)
        }
        let stored = try await put(fresh, types)
        result.imported += stored
        result.unchanged += chunk.count - stored
        chunk.removeAll(keepingCapacity: true)
        try showProgress()
    }

    /// Stores events that are not there yet, with the types that they need, in one transaction.
    ///
    /// - Returns: How many were not there.
    private func put(_ events: [Event], _ types: ImportTypes) async throws -> Int {
        if events.isEmpty { return 0 }
        let need = types.need(of: events)
        let (count, replaced) = try await context.store.perform { writes in
            let replaced = try need.store(in: writes)
            var count = 0
            for event in events where try !Self.isOwnId(event.externalId, in: writes) {
                var event = event
                if let type = replaced[event.eventTypeId] { event.eventTypeId = type.id }
                do {
                    try writes.create(event)
                    count += 1
                } catch SyncEngineError.alreadyExists {
                    // Another import put the same row in since this one looked.
                }
            }
            return (count, replaced)
        }
        types.settle(need, replaced)
        return count
    }

    /// True where the id of a row is that of an event here: the file is an export of this store.
    private nonisolated static func isOwnId(_ externalId: String?, in writes: LocalWrites) throws -> Bool {
        guard let externalId, let id = UUIDv7(externalId) else { return false }
        return try writes.find(Event.self, id: id.description) != nil
    }

    private func report(_ line: Int, _ message: String) {
        result.bad += 1
        if result.errors.count < Self.problemLimit {
            result.errors.append(LineError(line: line, message: TextTable.singleLine(message)))
        }
    }

    private func showProgress() throws {
        guard context.errors.isTerminal, !context.wantsJSON else { return }
        try context.errors.write("\r\u{1B}[K\(result.rows) rows …")
        try context.errors.flush()
    }
}
