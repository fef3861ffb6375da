import TrendyDomain
import TrendyNotation

/// Finds out which column of a CSV file holds what, by the columns' names and the first rows.
@MainActor
struct ColumnGuess {
    /// How many rows are looked at.
    static let sampleSize = 50

    private let names: [String]
    private let rows: [[String]]
    private let times: ColumnTimes
    private let hasDecimalCommas: Bool
    private var used: Set<Int> = []

    /// - Parameters:
    ///   - names: The names of the columns.
    ///   - rows: Some rows with as many fields as there are columns.
    ///   - hasDecimalCommas: Whether `7,5` is a number.
    init(names: [String], rows: [[String]], times: ColumnTimes, hasDecimalCommas: Bool = false) {
        self.names = names
        self.rows = rows
        self.times = times
        self.hasDecimalCommas = hasDecimalCommas
    }

    /// The columns that hold what an import needs.
    ///
    /// What the person has said stays as it is.
    /// - Parameters:
    ///   - partial: The columns that the person has named; time and type may be empty.
    ///   - fallbackType: The name of the type of all rows where no column holds it.
    /// - Throws: ``InputError`` where no column holds a time, or there is no type.
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

    /// The columns that are named like a property which a type of the rows has already, and have values that it takes.
    ///
    /// - Parameter request: The columns that hold all else.
    mutating func knownProperties(
        _ request: ImportColumns.Request, _ known: KnownProperties
    ) throws -> [(key: String, column: String)] {
        // Trendy's own export names its properties by other columns.
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

    /// The column that names the rows for good, whatever else is known of the columns.
    func idColumn() -> String? { index("id", where: namesRows).map { names[$0] } }

    /// Whether a name of a row is long enough to be that of no other row in any file.
    static func isUniqueEverywhere(_ id: String) -> Bool { id.utf8.count >= 16 }

    /// The names of the columns that nothing is read from.
    var unused: [String] { names.indices.filter { !used.contains($0) }.map { names[$0] } }

    // MARK: Finding

    private mutating func findTime(_ request: inout ImportColumns.Request) throws {
        let sample = self
        if let column = take("time", where: sample.isMostlyMoments) {
            request.time = column
            takeClock(&request)
            return
        }
        // A day in one column and the time of day in another.
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
                "no column of the file holds a time; name it with --time COLUMN: it has \(names.joined(separator: ", "))"
            )
        }
        if request.clock == nil { try findClock(&request) }
    }

    /// Takes the column of the time of day beside one that has days alone.
    private mutating func takeClock(_ request: inout ImportColumns.Request) {
        guard request.clock == nil, namesDays(request.time) else { return }
        let sample = self
        // Where a time of day has a name as a beginning, another one may be a length.
        request.clock = take("began", where: sample.isClock(column:))
        if request.clock == nil { request.clock = take("clock", where: sample.isClock(column:)) }
    }

    /// Finds the end: a moment, a time of day where the start has one, or a day and a time of day.
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

    /// Finds the time of day beside a day.
    ///
    /// - Throws: ``InputError`` where a column goes by that name and cannot be read: no event would have its time.
    private mutating func findClock(_ request: inout ImportColumns.Request) throws {
        takeClock(&request)
        let sample = self
        guard request.clock == nil, hasOnlyDays(request.time),
            let index = index("clock", where: { sample.unreadClock($0) != nil }), let text = unreadClock(index)
        else { return }
        throw InputError.data(
            "'\(text)' in the column '\(names[index])' is no time of day like 8:30, and without one all events would be "
                + "of whole days; name another column with --clock COLUMN, or leave it out with "
                + "--time \(quoted(request.time))")
    }

    /// Whether no value of a column has a time of day.
    private func hasOnlyDays(_ name: String) -> Bool {
        guard let index = names.firstIndex(of: name) else { return false }
        return !filled(index).contains { $0.contains(":") }
    }

    /// Whether a column of that name has days, in whatever order their dates are, and nothing else that is a time.
    private func namesDays(_ name: String) -> Bool {
        let folded = Names.trimmed(name).lowercased()
        guard let index = names.firstIndex(where: { $0.lowercased() == folded }) else { return false }
        let moments = filled(index).filter { !isClock($0) && times.canBeMoment($0) }
        return !moments.isEmpty && moments.allSatisfy(times.canBeDay)
    }

    /// A value that is no time of day, in a column where most are none.
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
                "no column of the file holds the type; name it with --type COLUMN, or give one with --type =NAME")
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

    /// Trendy's own export has all properties in one column, with their kinds.
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

    /// The column whose name stands first among those that a role goes by.
    private func index(_ role: String, where holds: (Int) -> Bool) -> Int? {
        for wanted in ColumnRoles.names[role] ?? [] {
            let found = names.indices.filter { !used.contains($0) && Self.plain(names[$0]) == wanted && holds($0) }
            if found.count == 1 { return found[0] }
        }
        return nil
    }

    /// The name without what people put between words.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    // MARK: Values

    private func all(_ index: Int, _ holds: (String) -> Bool) -> Bool {
        rows.allSatisfy { holds(Names.trimmed($0[index])) }
    }

    /// True where most values are moments that name a day; a few bad rows do not hide the column.
    private func isMostlyMoments(_ index: Int) -> Bool {
        let filled = filled(index)
        if filled.isEmpty { return rows.isEmpty }
        guard let good = moments(among: filled) else { return false }
        return good * 2 >= filled.count
    }

    /// True where a value is a moment that names a day; what else is there may be bad rows.
    private func hasMoment(_ index: Int) -> Bool { (moments(among: filled(index)) ?? 0) > 0 }

    private func filled(_ index: Int) -> [String] {
        rows.map { Names.trimmed($0[index]) }.filter { !$0.isEmpty }
    }

    /// How many values are moments; nil where no fewer are numbers that are none: the column counts something then.
    private func moments(among values: [String]) -> Int? {
        let good = values.count { !isClock($0) && times.canBeMoment($0) }
        let others = values.count(where: times.isOtherNumber)
        return others > 0 && others >= good ? nil : good
    }

    /// True where at least half of the values are there; rows without one are bad rows.
    private func isMostlyFilled(_ index: Int) -> Bool { filled(index).count * 2 >= rows.count }

    private func isNumbers(_ index: Int) -> Bool {
        all(index) { $0.isEmpty || NumberText.parse(hasDecimalCommas ? DecimalComma.withPoint($0) : $0) != nil }
    }

    private func isEmpty(_ index: Int) -> Bool { all(index) { $0.isEmpty } }

    /// True where most values are times of day; a day without one is a day all the same, and a few bad rows do not
    /// hide the column.
    private func isClock(column index: Int) -> Bool {
        let filled = filled(index)
        return filled.isEmpty ? rows.isEmpty : filled.count(where: isClock) * 2 > filled.count
    }

    private func isClock(_ text: String) -> Bool {
        ClockTime.isAlone(in: text)
    }

    /// Numbers of rows name none: the next file has the same ones.
    private func namesRows(_ index: Int) -> Bool {
        let values = rows.map { $0[index] }
        return values.allSatisfy(Self.isUniqueEverywhere) && Set(values).count == values.count
    }
}
