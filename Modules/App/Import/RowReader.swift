import TrendyDomain

/// Makes events of the rows of a CSV file.
@MainActor
struct RowReader {
    let columns: ImportColumns
    let types: ImportTypes
    private let ids: ImportIds
    private let times: WhenParser
    private let values: PropertyText
    /// How often each row has been seen in the file: equal rows are different events.
    private var seen: [Hash128: Int] = [:]

    init(columns: ImportColumns, types: ImportTypes, ids: ImportIds, context: CommandContext) {
        self.columns = columns
        self.types = types
        self.ids = ids
        times = context.times
        values = context.properties
    }

    /// The event that a row describes.
    ///
    /// - Throws: ``RowProblem`` where it describes none.
    mutating func event(_ row: CSVRow) throws -> Event {
        guard row.count == columns.count else {
            throw RowProblem("there are \(counted(row.count, "field")), but the first line has \(columns.count)")
        }
        let timeText = try text(row, columns.time)
        guard let moment = times.momentOrEpoch(timeText) else {
            throw RowProblem("'\(timeText)' is no time")
        }
        let name = try typeName(row)
        let type = try types.type(named: name)
        var event = Event(id: "", eventTypeId: type.id, timestamp: moment, sourceType: .imported)
        if let column = columns.until { event.endDate = try end(try text(row, column)) }
        if let column = columns.note {
            let note = try text(row, column)
            event.notes = note.isEmpty ? nil : note
        }
        try readLocation(row, into: &event)
        for (key, column) in columns.properties {
            let text = try text(row, column)
            if text.isEmpty { continue }
            let definition = try types.definition(key, of: type)
            do { event.properties[key] = try values.parse(text, as: definition) } catch {
                throw RowProblem(CommandFailure(error).message)
            }
        }
        let externalId = try externalId(row, typeName: types.folded(name))
        event.externalId = externalId
        event.id = ids.id(externalId, at: moment)
        do { try event.validate() } catch { throw RowProblem("\(error)") }
        return event
    }

    private func text(_ row: CSVRow, _ column: Int) throws -> String {
        guard let text = row.text(column) else { throw RowProblem("field \(column + 1) is not UTF-8") }
        return text
    }

    private func readLocation(_ row: CSVRow, into event: inout Event) throws {
        if let column = columns.allDay {
            let text = Names.trimmed(try text(row, column))
            guard text.isEmpty || PropertyText.boolean(text) != nil else {
                throw RowProblem("'\(text)' does not say whether it took all day: write yes or no")
            }
            event.isAllDay = PropertyText.boolean(text) ?? false
        }
        if let column = columns.location {
            let text = try text(row, column)
            event.locationName = text.isEmpty ? nil : text
        }
        event.locationLatitude = try columns.lat.flatMap { try degrees(row, $0) }
        event.locationLongitude = try columns.lon.flatMap { try degrees(row, $0) }
    }

    private func degrees(_ row: CSVRow, _ column: Int) throws -> Double? {
        let text = Names.trimmed(try text(row, column))
        if text.isEmpty { return nil }
        guard let number = NumberText.parse(text) else { throw RowProblem("'\(text)' is no number of degrees") }
        return number
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

    private func end(_ text: String) throws -> Timestamp? {
        if text.isEmpty { return nil }
        guard let moment = times.momentOrEpoch(text) else { throw RowProblem("'\(text)' is no time") }
        return moment
    }

    /// The name that the row has in every import: its id where there is a column for it, else what it says.
    private mutating func externalId(_ row: CSVRow, typeName: String) throws -> String {
        if let column = columns.id {
            let id = try text(row, column)
            if id.isEmpty { throw RowProblem("the id is empty") }
            return id
        }
        var hash = Hash128()
        hash.add(row.bytes(columns.time))
        hash.add(typeName.utf8)
        for column in [columns.until, columns.note, columns.allDay, columns.location, columns.lat, columns.lon] {
            hash.add(column.map { row.bytes($0) } ?? [])
        }
        for (key, column) in columns.properties {
            hash.add(key.utf8)
            hash.add(row.bytes(column))
        }
        let earlier = seen[hash, default: 0]
        seen[hash] = earlier + 1
        return "csv:\(hash.hex)" + (earlier == 0 ? "" : "-\(earlier + 1)")
    }
}
