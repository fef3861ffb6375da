import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Which column of a CSV file holds what.
struct ImportColumns {
    /// What the command line asks for, by the names of columns.
    struct Request {
        var time: String
        /// The column of the time of day, where the other has the day alone.
        var clock: String?
        /// A column, or with `=` before it the name of the type of all rows.
        var type: String
        var until: String?
        /// The column of the time of day of the end, where the other has the day alone.
        var untilClock: String?
        var note: String?
        var id: String?
        /// A column, or with `=` before it what holds for all rows.
        var allDay: String?
        var location: String?
        var lat: String?
        var lon: String?
        /// Property keys with their columns.
        var properties: [(key: String, column: String)] = []
        /// Property keys with the columns that are named like them, for rows whose type has such a property already.
        var known: [(key: String, column: String)] = []
        /// The kinds that properties get which are not defined, by their keys; without one they are refused.
        var kinds: [String: PropertyType] = [:]
        /// The column in which Trendy's own export writes all properties as JSON.
        var typedProperties: String?

        /// The columns that hold times with their days.
        var times: [String] { [time] + (until.map { [$0] } ?? []) }

        /// All columns that are named.
        var named: [String] {
            let needed = [time, type, allDay ?? ""].filter { !$0.isEmpty && !$0.hasPrefix("=") }
            let others = [clock, until, untilClock, note, id, location, lat, lon].compactMap(\.self)
            return needed + others + properties.map { $0.column }
        }
    }

    enum TypeSource {
        case column(Int)
        case fixed(String)
    }

    enum AllDaySource {
        case column(Int)
        case fixed(Bool)
    }

    let time: Int
    let clock: Int?
    let type: TypeSource
    let until: Int?
    let untilClock: Int?
    let note: Int?
    let id: Int?
    let allDay: AllDaySource?
    let location: Int?
    let lat: Int?
    let lon: Int?
    let properties: [(key: String, column: Int, kind: PropertyType?)]
    let known: [(key: String, column: Int)]
    let typedProperties: Int?
    /// What Trendy's own export has besides; nil in the files of others.
    let exported: ExportedColumns?
    /// How many columns the file has.
    let count: Int

    /// Finds the columns in the first row of a file.
    ///
    /// - Throws: ``CommandFailure`` that lists the columns that exist.
    init(_ request: Request, header: CSVRow) throws {
        guard let names = Self.names(header) else {
            throw CommandFailure.data(
                "line \(header.line): the names of the columns are not UTF-8; save the file as UTF-8: "
                    + RowProblem.conversion)
        }
        let find = { (name: String) in try Self.index(of: name, in: names) }
        count = names.count
        time = try find(request.time)
        clock = try request.clock.map(find)
        if request.type.hasPrefix("=") {
            let name = Names.trimmed(String(request.type.dropFirst()))
            if name.isEmpty { throw CommandFailure.usage("--type = needs a name after it, like --type =commit") }
            type = .fixed(name)
        } else {
            type = .column(try find(request.type))
        }
        until = try request.until.map(find)
        untilClock = try request.untilClock.map(find)
        note = try request.note.map(find)
        id = try request.id.map(find)
        allDay = try request.allDay.map { try Self.allDay($0, find) }
        location = try request.location.map(find)
        lat = try request.lat.map(find)
        lon = try request.lon.map(find)
        properties = try request.properties.map { ($0.key, try find($0.column), request.kinds[$0.key]) }
        known = try request.known.map { ($0.key, try find($0.column)) }
        typedProperties = try request.typedProperties.map(find)
        exported = ExportedColumns(names)
    }

    private static func allDay(_ request: String, _ find: (String) throws -> Int) throws -> AllDaySource {
        guard request.hasPrefix("=") else { return .column(try find(request)) }
        guard let flag = PropertyText.boolean(Names.trimmed(String(request.dropFirst()))) else {
            throw CommandFailure.usage("--all-day = needs yes or no after it, like --all-day =yes")
        }
        return .fixed(flag)
    }

    static func names(_ header: CSVRow) -> [String]? {
        var names: [String] = []
        for column in 0..<header.count {
            guard let name = header.text(column) else { return nil }
            names.append(Names.trimmed(name))
        }
        return names
    }

    private static func index(of name: String, in names: [String]) throws -> Int {
        let wanted = Names.trimmed(name)
        for same in [{ $0 == wanted }, { $0.lowercased() == wanted.lowercased() }] as [(String) -> Bool] {
            let found = names.indices.filter { same(names[$0]) }
            if found.count == 1 { return found[0] }
            if found.count > 1 { throw CommandFailure.data("the file has \(found.count) columns named '\(wanted)'") }
        }
        throw CommandFailure.data(missing(wanted, names))
    }

    private static func missing(_ wanted: String, _ names: [String]) -> String {
        let near = Suggestion.nearest(to: wanted, among: names).map { "; did you mean '\($0)'?" } ?? ""
        let sentence = "the file has no column '\(wanted)'; it has \(names.joined(separator: ", "))\(near)"
        guard names.count == 1, let only = names.first else { return sentence }
        let separators: [(Character, String)] = [(";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")]
        guard let other = separators.first(where: { only.contains($0.0) }) else { return sentence }
        return sentence.withHint("if \(other.1) is between the fields, add --delimiter \(other.1)")
    }
}
