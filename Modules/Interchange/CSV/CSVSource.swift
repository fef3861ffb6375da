import Foundation
import TrendyDomain
package import TrendyNotation

/// Reads the rows of a CSV file as event drafts.
@MainActor
package struct CSVSource<Bytes: ByteSource>: ImportSource {
    private var csv: CSVReader<Bytes>
    private let columns: ImportColumns
    private let types: any ImportableTypes
    private let times: ColumnTimes
    /// Whether `7,5` is a number.
    private let hasDecimalCommas: Bool
    /// The number of rows with a missing place.
    private var rowsWithoutPlace = 0
    /// The number of rows that are not UTF-8.
    private var rowsOfOtherEncoding = 0
    /// Remarks on skipped and repeated clock times, and on days without a time.
    private var notes = TimeRemarks()

    /// Reads the first row, which has the names of the columns.
    ///
    /// - Parameter decimal: The decimal separator of the person.
    /// - Throws: ``InputError`` if a requested column is missing.
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
            case .failure(let problem): return ImportRow(line: problem.line) { throw RowError(problem.message) }
            // Spreadsheets write blank rows below the last filled one.
            case .success(let row) where row.isBlank: continue
            case .success(let row): return ImportRow(line: row.line) { [.draft(try draft(row))] }
            }
        }
        return nil
    }

    /// Whether the file is an export of Trendy.
    package var isExport: Bool { columns.exported != nil }

    package mutating func refuseLast() { notes.takeBack() }

    package var remarks: [String] {
        var remarks: [String] = []
        if rowsOfOtherEncoding > 0 {
            let verb = rowsOfOtherEncoding == 1 ? "is" : "are"
            remarks.append("\(counted(rowsOfOtherEncoding, "row")) \(verb) not UTF-8; \(RowError.conversion)")
        }
        if rowsWithoutPlace > 0 {
            remarks.append(
                "the place of \(counted(rowsWithoutPlace, "row")) is missing, and CSV files have no places; "
                    + "use 'trendy export json' to export them, too")
        }
        return remarks + notes.remarks
    }

    private mutating func draft(_ row: CSVRow) throws -> EventDraft {
        do { return try read(row) } catch let problem as RowError {
            if problem.isEncoding { rowsOfOtherEncoding += 1 }
            throw problem
        }
    }

    private mutating func read(_ row: CSVRow) throws -> EventDraft {
        guard row.count == columns.count else {
            throw RowError("it has \(counted(row.count, "field")), but the first line has \(columns.count)")
        }
        let time = try timeText(row)
        let moment = try moment(time)
        // The check of the characters is cheap and avoids parsing most rows again.
        if columns.allDay == nil, !time.utf8.contains(UInt8(ascii: ":")), times.isDay(time) {
            notes.noteDay(line: row.line)
        }
        let name = try typeName(row)
        // The identity depends on the canonical name, so the type comes first.
        let type = try types.type(named: name)
        var draft = EventDraft(
            type: name, timestamp: moment, identity: content(row, typeName: types.folded(name)))
        if let id = try id(of: row, typeName: types.folded(name)) {
            // An earlier import may not have used the column with the ids.
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
            throw RowError("field \(column + 1) is not UTF-8", isEncoding: true)
        }
        return text
    }

    private func timeText(_ row: CSVRow) throws -> String {
        let time = try text(row, columns.time)
        guard let column = columns.clock else { return time }
        return time + " " + (try text(row, column))
    }

    /// The end with its day; empty for none.
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
            if name.isEmpty { throw RowError("the type is empty") }
            return name
        }
    }

    private func readLocation(_ row: CSVRow, into draft: inout EventDraft) throws {
        switch columns.allDay {
        case .fixed(let isAllDay): draft.isAllDay = isAllDay
        case .column(let column):
            let text = Names.trimmed(try text(row, column))
            guard text.isEmpty || PropertyText.boolean(text) != nil else {
                throw RowError("'\(text)' in the all-day column is neither yes nor no")
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
        guard let number = NumberText.parse(plain) else { throw RowError("'\(text)' is not a number of degrees") }
        return number
    }

    /// The values in the column `properties` of a Trendy export, with their kinds.
    private func typed(_ text: String) throws -> [(key: String, value: EventDraft.Value)] {
        if text.isEmpty { return [] }
        guard let values = try? WireCoding.decode([String: PropertyValue].self, from: Data(text.utf8)) else {
            throw RowError("'\(text.prefix(60))' is not valid in the column 'properties' of an export")
        }
        return values.sorted { $0.key < $1.key }.map { ($0.key, .typed($0.value)) }
    }

    /// The id of the row, if there is a column for it.
    ///
    /// Short ids may only be row numbers, so the type is added to them.
    private func id(of row: CSVRow, typeName: String) throws -> String? {
        guard let column = columns.id else { return nil }
        let id = try text(row, column)
        if id.isEmpty { throw RowError("the id is empty") }
        return ColumnGuess.isUniqueEverywhere(id) ? id : "csv:\(typeName):\(id)"
    }

    /// The identity of a row by its content. All columns count, so that it does not depend on the named columns.
    ///
    /// A row can be several events, so type and time belong to the identity.
    private func content(_ row: CSVRow, typeName: String) -> EventDraft.Identity {
        var hash = Hash128()
        hash.add(typeName.utf8)
        hash.add(row.bytes(columns.time))
        for column in 0..<row.count {
            // The canonical name, independent of its spelling.
            if case .column(column) = columns.type { hash.add(typeName.utf8) } else { hash.add(row.bytes(column)) }
        }
        return .content("csv", hash)
    }
}

extension CSVReader {
    /// The first row of a file, which has the names of the columns.
    ///
    /// - Throws: ``InputError`` for an empty file.
    package mutating func header() throws -> CSVRow {
        switch try next() {
        case .success(let row): return row
        case .failure(let problem): throw InputError.data("line \(problem.line): \(problem.message)")
        case nil: throw InputError.data("the file is empty; its first line must name the columns")
        }
    }
}
