import TrendyDomain
import TrendyNotation

/// Guesses the roles of the columns of a CSV file by their names and the first rows.
@MainActor
struct ColumnGuess {
    /// The number of examined rows.
    static let sampleSize = 50

    private let names: [String]
    private let rows: [[String]]
    private let times: ColumnTimes
    private let hasDecimalCommas: Bool
    private var used: Set<Int> = []

    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - rows: Rows with a field for each column.
    ///   - hasDecimalCommas: Whether `7,5` is a number.
    init(names: [String], rows: [[String]], times: ColumnTimes, hasDecimalCommas: Bool = false) {
        self.names = names
        self.rows = rows
        self.times = times
        self.hasDecimalCommas = hasDecimalCommas
    }

    /// The columns for the import. Given columns are kept.
    ///
    /// - Parameters:
    ///   - partial: The given columns; time and type may be empty.
    ///   - fallbackType: The type of all rows if no column has it.
    /// - Throws: ``InputError`` if there is no column with times, or no type.
    mutating func complete(
        _ partial: ImportColumns.Request, fallbackType: String?
    ) throws -> ImportColumns.Request {
        var request = partial
        for name in [partial.clock, partial.until, partial.note, partial.id, partial.allDay, partial.location] {
            use(name)
        }
        for name in [partial.time, partial.type, partial.lat, partial.lon] { use(name) }
        for (_, column) in partial.properties { use(column) }
        if request.time.isEmpty { try findTime(&request) } else { takeClock(&request) }
        if request.type.isEmpty { try findType(&request, fallbackType) }
        let sample = self
        findUntil(&request)
        request.id = request.id ?? take("id", where: sample.namesRows)
        request.allDay = request.allDay ?? take("allday") { sample.all($0) { PropertyText.boolean($0) != nil } }
        request.note = request.note ?? take("note") { _ in true }
        request.location = request.location ?? take("location") { _ in true }
        if request.lat == nil, request.lon == nil { findPosition(&request) }
        findProperties(&request)
        if ExportedColumns(names) != nil { for name in ExportedColumns.names { use(name) } }
        return request
    }

    /// The columns that have the name of an existing property of a type in the rows, and values that fit it.
    ///
    /// - Parameter request: The other columns.
    mutating func knownProperties(
        _ request: ImportColumns.Request, _ known: KnownProperties
    ) throws -> [(key: String, column: String)] {
        // A Trendy export has other columns for properties.
        if names.contains("event_type_id") { return [] }
        let taken = Set(request.properties.map { $0.key.lowercased() })
        let types = types(request)
        var found: [(key: String, column: String)] = []
        for (index, name) in names.enumerated() where !used.contains(index) {
            let folded = name.lowercased()
            guard !taken.contains(folded), names.count(where: { $0.lowercased() == folded }) == 1 else { continue }
            var keys: [String: PropertyDefinition] = [:]
            for type in Set(types) { keys[type] = try known.definition(name, ofType: type) }
            var values = 0
            var good = 0
            for (row, type) in zip(rows, types) where !row[index].isEmpty {
                guard let definition = keys[type] else { continue }
                values += 1
                if known.takes(row[index], definition, hasDecimalCommas: hasDecimalCommas) { good += 1 }
            }
            guard let key = keys.values.map(\.key).min(), good * 2 >= values else { continue }
            used.insert(index)
            found.append((key, name))
        }
        return found
    }

    /// The name of the type of each row.
    private func types(_ request: ImportColumns.Request) -> [String] {
        if request.type.hasPrefix("=") {
            return Array(repeating: Names.trimmed(String(request.type.dropFirst())), count: rows.count)
        }
        let folded = Names.trimmed(request.type).lowercased()
        guard let index = names.firstIndex(where: { $0.lowercased() == folded }) else { return [] }
        return rows.map { Names.trimmed($0[index]) }
    }

    /// The column with permanent ids of the rows.
    func idColumn() -> String? { index("id", where: namesRows).map { names[$0] } }

    /// Whether an id is long enough to be unique across files.
    static func isUniqueEverywhere(_ id: String) -> Bool { id.utf8.count >= 16 }

    /// The names of the columns that are not read.
    var unused: [String] { names.indices.filter { !used.contains($0) }.map { names[$0] } }

    // MARK: Finding

    private mutating func findTime(_ request: inout ImportColumns.Request) throws {
        let sample = self
        if let column = take("time", where: sample.isMostlyMoments) {
            request.time = column
            takeClock(&request)
            return
        }
        // The day and the time of day can be in different columns.
        if let day = take("day", where: sample.isMostlyMoments) {
            request.time = day
        } else if let column = take("written", where: sample.isMostlyMoments) {
            request.time = column
            return
        } else if let column = take("time", where: sample.hasMoment) {
            request.time = column
            takeClock(&request)
            return
        } else if let day = take("day", where: sample.hasMoment) {
            request.time = day
        } else if let index = names.indices.first(where: { !used.contains($0) && hasMoment($0) && isMostlyMoments($0) })
        {
            used.insert(index)
            request.time = names[index]
        } else {
            throw InputError.data(
                "the file has no column with times; name it with --time COLUMN; the columns are \(names.joined(separator: ", "))"
            )
        }
        if request.clock == nil { try findClock(&request) }
    }

    /// Finds the column with the time of day, if the time column has only days.
    private mutating func takeClock(_ request: inout ImportColumns.Request) {
        guard request.clock == nil, namesDays(request.time) else { return }
        let sample = self
        // If one column is named as the start, another one can be a duration.
        request.clock = take("began", where: sample.isClock(column:))
        if request.clock == nil { request.clock = take("clock", where: sample.isClock(column:)) }
    }

    /// Finds the end: a moment, a time of day like the start, or a day and a time of day.
    private mutating func findUntil(_ request: inout ImportColumns.Request) {
        guard request.until == nil else { return }
        let sample = self
        let hasClocks = request.clock != nil || !namesDays(request.time)
        request.until = take("until") {
            sample.isEmpty($0) || sample.isMostlyMoments($0) || hasClocks && sample.isClock(column: $0)
        }
        guard request.clock != nil, let until = request.until, namesDays(until) else { return }
        request.untilClock = take("until", where: sample.isClock(column:))
    }

    /// Finds the time of day for a column of days.
    ///
    /// - Throws: ``InputError`` if a column has a matching name and cannot be read, because all events would lose their
    ///   times.
    private mutating func findClock(_ request: inout ImportColumns.Request) throws {
        takeClock(&request)
        let sample = self
        guard request.clock == nil, hasOnlyDays(request.time),
            let index = index("clock", where: { sample.unreadClock($0) != nil }), let text = unreadClock(index)
        else { return }
        throw InputError.data(
            "'\(text)' in the column '\(names[index])' is not a time of day like 8:30, and without one all events "
                + "would be all-day events; name another column with --clock COLUMN, or leave it out with "
                + "--time \(quoted(request.time))")
    }

    /// Whether no value of a column has a time of day.
    private func hasOnlyDays(_ name: String) -> Bool {
        guard let index = names.firstIndex(of: name) else { return false }
        return !filled(index).contains { $0.contains(":") }
    }

    /// Whether a column of that name has only days, in any order of dates.
    private func namesDays(_ name: String) -> Bool {
        let folded = Names.trimmed(name).lowercased()
        guard let index = names.firstIndex(where: { $0.lowercased() == folded }) else { return false }
        let moments = filled(index).filter { !isClock($0) && times.canBeMoment($0) }
        return !moments.isEmpty && moments.allSatisfy(times.canBeDay)
    }

    /// A value that is not a time of day, if most values of the column are not.
    private func unreadClock(_ index: Int) -> String? {
        isClock(column: index) ? nil : filled(index).first { !isClock($0) }
    }

    private mutating func findType(_ request: inout ImportColumns.Request, _ fallback: String?) throws {
        let sample = self
        if let column = take("type", where: sample.isMostlyFilled) {
            request.type = column
        } else if let fallback {
            request.type = "=" + fallback
        } else {
            throw InputError.data(
                "the file has no column with the type; name it with --type COLUMN, or give a type with --type =NAME")
        }
    }

    private mutating func findPosition(_ request: inout ImportColumns.Request) {
        let sample = self
        guard let lat = index("lat", where: sample.isNumbers), let lon = index("lon", where: sample.isNumbers) else {
            return
        }
        used.formUnion([lat, lon])
        (request.lat, request.lon) = (names[lat], names[lon])
    }

    /// A Trendy export has all properties in one column, with their kinds.
    private mutating func findProperties(_ request: inout ImportColumns.Request) {
        guard request.properties.isEmpty, names.contains("event_type_id"),
            let index = names.firstIndex(of: "properties"), !used.contains(index)
        else { return }
        used.insert(index)
        for own in names.indices where names[own].hasPrefix("property:") { used.insert(own) }
        request.typedProperties = names[index]
    }

    // MARK: Names

    private mutating func use(_ name: String?) {
        if let name, let index = names.firstIndex(where: { $0.lowercased() == name.lowercased() }) {
            used.insert(index)
        }
    }

    private mutating func take(_ role: String, where holds: (Int) -> Bool) -> String? {
        guard let index = index(role, where: holds) else { return nil }
        used.insert(index)
        return names[index]
    }

    /// The column with the best name for a role.
    private func index(_ role: String, where holds: (Int) -> Bool) -> Int? {
        for wanted in ColumnRoles.names[role] ?? [] {
            let found = names.indices.filter { !used.contains($0) && Self.plain(names[$0]) == wanted && holds($0) }
            if found.count == 1 { return found[0] }
        }
        return nil
    }

    /// The name without separators between words.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    // MARK: Values

    private func all(_ index: Int, _ holds: (String) -> Bool) -> Bool {
        rows.allSatisfy { holds(Names.trimmed($0[index])) }
    }

    /// Whether most values are moments with a day; a few bad rows are tolerated.
    private func isMostlyMoments(_ index: Int) -> Bool {
        let filled = filled(index)
        if filled.isEmpty { return rows.isEmpty }
        guard let good = moments(among: filled) else { return false }
        return good * 2 >= filled.count
    }

    /// Whether some value is a moment with a day; the others may be bad rows.
    private func hasMoment(_ index: Int) -> Bool { (moments(among: filled(index)) ?? 0) > 0 }

    private func filled(_ index: Int) -> [String] {
        rows.map { Names.trimmed($0[index]) }.filter { !$0.isEmpty }
    }

    /// The number of moments; nil if at least as many values are other numbers, so that the column is a count.
    private func moments(among values: [String]) -> Int? {
        let good = values.count { !isClock($0) && times.canBeMoment($0) }
        let others = values.count(where: times.isOtherNumber)
        return others > 0 && others >= good ? nil : good
    }

    /// Whether at least half of the values are not empty.
    private func isMostlyFilled(_ index: Int) -> Bool { filled(index).count * 2 >= rows.count }

    private func isNumbers(_ index: Int) -> Bool {
        all(index) { $0.isEmpty || NumberText.parse(hasDecimalCommas ? DecimalComma.withPoint($0) : $0) != nil }
    }

    private func isEmpty(_ index: Int) -> Bool { all(index) { $0.isEmpty } }

    /// Whether most values are times of day; empty values and a few bad rows are tolerated.
    private func isClock(column index: Int) -> Bool {
        let filled = filled(index)
        return filled.isEmpty ? rows.isEmpty : filled.count(where: isClock) * 2 > filled.count
    }

    private func isClock(_ text: String) -> Bool {
        ClockTime.isAlone(in: text)
    }

    /// Whether the values are ids of rows. Row numbers are not, because every file has the same ones.
    private func namesRows(_ index: Int) -> Bool {
        let values = rows.map { $0[index] }
        return values.allSatisfy(Self.isUniqueEverywhere) && Set(values).count == values.count
    }
}
