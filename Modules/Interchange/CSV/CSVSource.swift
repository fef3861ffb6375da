import Foundation
import TrendyDomain
package import TrendyNotation

/// Gives the rows of a CSV file as drafts of events.
@MainActor
package struct CSVSource<Bytes: ByteSource>: ImportSource {
    private var csv: CSVReader<Bytes>
    private let columns: ImportColumns
    private let types: any ImportableTypes
    private let times: ColumnTimes
    /// Whether `7,5` is a number.
    private let hasDecimalCommas: Bool
    /// How many rows name a place that is not here.
    private var rowsWithoutPlace = 0
    /// How many rows are not UTF-8.
    private var rowsOfOtherEncoding = 0
    /// The times that a clock never shows, or twice, and days without one.
    private var notes = TimeNotes()

    /// Reads the first row, which names the columns.
    ///
    /// - Parameter decimal: What the person who reads the file writes before fractions.
    /// - Throws: ``InputError`` where columns that are asked for are missing.
    package init(
        _ bytes: Bytes, delimiter: UInt8, columns request: ImportColumns.Request, times: ColumnTimes,
        types: any ImportableTypes, decimal: DecimalSign
    ) throws {
        csv = CSVReader(bytes, delimiter: delimiter)
        columns = try ImportColumns(request, header: try csv.header())
        self.types = types
        self.times = times
        hasDecimalCommas = decimal.isComma(inFileWith: delimiter)
    }

    package mutating func next() throws -> ImportRow? {
        while let next = try csv.next() {
            notes.begin()
            switch next {
            case .failure(let problem): return ImportRow(line: problem.line) { throw RowProblem(problem.message) }
            // Spreadsheets write such rows below the last that somebody has filled in.
            case .success(let row) where row.isBlank: continue
            case .success(let row): return ImportRow(line: row.line) { [.draft(try draft(row))] }
            }
        }
        return nil
    }

    /// Whether the file is an export of Trendy's own.
    package var isExport: Bool { columns.exported != nil }

    package mutating func refuseLast() { notes.takeBack() }

    package var remarks: [String] {
        var remarks: [String] = []
        if rowsOfOtherEncoding > 0 {
            let verb = rowsOfOtherEncoding == 1 ? "is" : "are"
            remarks.append("\(counted(rowsOfOtherEncoding, "row")) \(verb) not UTF-8; \(RowProblem.conversion)")
        }
        if rowsWithoutPlace > 0 {
            remarks.append(
                "the place of \(counted(rowsWithoutPlace, "row")) is not here, and a CSV file does not describe places; "
                    + "export with 'trendy export json' to take them along")
        }
        return remarks + notes.remarks
    }

    private mutating func draft(_ row: CSVRow) throws -> EventDraft {
        do { return try read(row) } catch let problem as RowProblem {
            if problem.isEncoding { rowsOfOtherEncoding += 1 }
            throw problem
        }
    }

    private mutating func read(_ row: CSVRow) throws -> EventDraft {
        guard row.count == columns.count else {
            throw RowProblem("it has \(counted(row.count, "field")), but the first line has \(columns.count)")
        }
        let time = try timeText(row)
        let moment = try moment(time)
        // A look at the characters spares most rows a second reading.
        if columns.allDay == nil, !time.utf8.contains(UInt8(ascii: ":")), times.isDay(time) {
            notes.noteDay(line: row.line)
        }
        let name = try typeName(row)
        // Before the identity, which depends on how the name is folded.
        let type = try types.type(named: name)
        var draft = EventDraft(
            type: name, timestamp: moment, identity: content(row, typeName: types.folded(name)))
        if let id = try id(of: row, typeName: types.folded(name)) {
            // An earlier import may not have been told of the column of ids.
            (draft.identity, draft.otherIdentity) = (.named(id), draft.identity)
        }
        let endTime = try endText(row, from: moment)
        if !endTime.isEmpty { draft.endDate = try self.moment(endTime) }
        draft.notes = try columns.note.map { try text(row, $0) }
        try readLocation(row, into: &draft)
        if draft.isAllDay, times.isOfHere(time, moment) {
            let endIsOfHere = draft.endDate.map { times.isOfHere(endTime, $0) } ?? false
            draft.beginDays(in: times.times.zone, withEnd: endIsOfHere)
        }
        if let column = columns.typedProperties { draft.properties = try typed(try text(row, column)) }
        draft.hasDecimalCommas = hasDecimalCommas
        for (key, column, kind) in columns.properties {
            let text = try text(row, column)
            if !text.isEmpty { draft.properties.append((key, .text(text, kind: kind))) }
        }
        for (name, column) in columns.known {
            let text = try text(row, column)
            guard !text.isEmpty, let key = try types.present(name, of: type)?.key else { continue }
            draft.properties.append((key, .text(text, kind: nil)))
        }
        if let columns = columns.exported {
            draft.originalTitle = try filled(row, columns.originalTitle)
            let exported = try exported(row, columns)
            draft.exported = exported
            if try exported.geofenceId == nil && filled(row, columns.geofenceId) != nil { rowsWithoutPlace += 1 }
        }
        return draft
    }

    private func exported(_ row: CSVRow, _ columns: ExportedColumns) throws -> ExportedEvent {
        let source = try filled(row, columns.sourceType).map { SourceType(rawValue: $0) }
        var exported = ExportedEvent(sourceType: source ?? .imported, fields: self.columns.fields)
        exported.externalId = try filled(row, columns.externalId)
        exported.healthKitSampleId = try filled(row, columns.healthKitSampleId)
        exported.healthKitCategory = try filled(row, columns.healthKitCategory)
        exported.geofenceId = try filled(row, columns.geofenceId).flatMap { types.hasPlace($0) ? $0 : nil }
        return exported
    }

    private func filled(_ row: CSVRow, _ column: Int) throws -> String? {
        let text = try text(row, column)
        return text.isEmpty ? nil : text
    }

    private func text(_ row: CSVRow, _ column: Int) throws -> String {
        guard let text = row.text(column) else {
            throw RowProblem("field \(column + 1) is not UTF-8", isEncoding: true)
        }
        return text
    }

    private func timeText(_ row: CSVRow) throws -> String {
        let time = try text(row, columns.time)
        guard let column = columns.clock else { return time }
        return time + " " + (try text(row, column))
    }

    /// The end with its day; empty where there is none.
    private func endText(_ row: CSVRow, from start: Timestamp) throws -> String {
        guard let column = columns.until else { return "" }
        var end = try text(row, column)
        if let clock = columns.untilClock { end = Names.trimmed(end + " " + (try text(row, clock))) }
        return try times.times.endText(end, from: start)
    }

    private mutating func moment(_ text: String) throws -> Timestamp {
        guard let moment = times.moment(text) else { throw times.problem(text) }
        if let civil = times.changingClock(text, moment) { notes.note(civil, in: times.times.zone) }
        return moment
    }

    private func typeName(_ row: CSVRow) throws -> String {
        switch columns.type {
        case .fixed(let name): return name
        case .column(let column):
            let name = Names.trimmed(try text(row, column))
            if name.isEmpty { throw RowProblem("the type is empty") }
            return name
        }
    }

    private func readLocation(_ row: CSVRow, into draft: inout EventDraft) throws {
        switch columns.allDay {
        case .fixed(let isAllDay): draft.isAllDay = isAllDay
        case .column(let column):
            let text = Names.trimmed(try text(row, column))
            guard text.isEmpty || PropertyText.boolean(text) != nil else {
                throw RowProblem("'\(text)' does not say whether it took all day: write yes or no")
            }
            draft.isAllDay = PropertyText.boolean(text) ?? false
        case nil: break
        }
        draft.locationName = try columns.location.map { try text(row, $0) }
        draft.latitude = try columns.lat.flatMap { try degrees(row, $0) }
        draft.longitude = try columns.lon.flatMap { try degrees(row, $0) }
    }

    private func degrees(_ row: CSVRow, _ column: Int) throws -> Double? {
        let text = Names.trimmed(try text(row, column))
        if text.isEmpty { return nil }
        let plain = hasDecimalCommas ? DecimalComma.withPoint(text) : text
        guard let number = NumberText.parse(plain) else { throw RowProblem("'\(text)' is no number of degrees") }
        return number
    }

    /// The values in the column `properties` of Trendy's own export, which say of what kind they are.
    private func typed(_ text: String) throws -> [(key: String, value: EventDraft.Value)] {
        if text.isEmpty { return [] }
        guard let values = try? WireCoding.decode([String: PropertyValue].self, from: Data(text.utf8)) else {
            throw RowProblem("'\(text.prefix(60))' is not what an export writes in the column 'properties'")
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, .typed($0.value)) }
    }

    /// The name that the row has where there is a column for it.
    ///
    /// Short ones count the rows of their file; those of one type are told from those of another then.
    private func id(of row: CSVRow, typeName: String) throws -> String? {
        guard let column = columns.id else { return nil }
        let id = try text(row, column)
        if id.isEmpty { throw RowProblem("the id is empty") }
        return ColumnGuess.isUniqueEverywhere(id) ? id : "csv:\(typeName):\(id)"
    }

    /// What the row says, whichever of its columns are read: it is the same row where others are named the next time.
    ///
    /// One row may stand for several events, each with its type and its time.
    private func content(_ row: CSVRow, typeName: String) -> EventDraft.Identity {
        var hash = Hash128()
        hash.add(typeName.utf8)
        hash.add(row.bytes(columns.time))
        for column in 0..<row.count {
            // However the name of the type is written.
            if case .column(column) = columns.type { hash.add(typeName.utf8) } else { hash.add(row.bytes(column)) }
        }
        return .content("csv", hash)
    }
}

extension CSVReader {
    /// The first row of a file, which names its columns.
    ///
    /// - Throws: ``InputError`` where there is none.
    package mutating func header() throws -> CSVRow {
        switch try next() {
        case .success(let row): return row
        case .failure(let problem): throw InputError.data("line \(problem.line): \(problem.message)")
        case nil: throw InputError.data("the file is empty; its first line must name the columns")
        }
    }
}
