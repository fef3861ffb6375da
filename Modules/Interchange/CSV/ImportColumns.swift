package import TrendyDomain
import TrendyNotation

/// The roles of the columns of a CSV file.
package struct ImportColumns {
    /// The roles by the names of columns, from the command line.
    package struct Request {
        package var time: String
        /// The column with the time of day, if the time column has only days.
        package var clock: String?
        /// A column, or `=` and the type of all rows.
        package var type: String
        package var until: String?
        /// The column with the time of day of the end, if the end column has only days.
        var untilClock: String?
        package var note: String?
        package var id: String?
        /// A column, or `=` and the value for all rows.
        package var allDay: String?
        package var location: String?
        package var lat: String?
        package var lon: String?
        /// Property keys with their columns.
        package var properties: [(key: String, column: String)] = []
        /// Property keys with the columns of the same name, for rows whose type has such a property.
        package var known: [(key: String, column: String)] = []
        /// The kinds of new properties, by their keys; properties without a kind are refused.
        package var kinds: [String: PropertyType] = [:]
        /// The column of a Trendy export with all properties as JSON.
        var typedProperties: String?

        package init(
            time: String, clock: String? = nil, type: String, until: String? = nil, untilClock: String? = nil,
            note: String? = nil, id: String? = nil, allDay: String? = nil, location: String? = nil, lat: String? = nil,
            lon: String? = nil, properties: [(key: String, column: String)] = [],
            known: [(key: String, column: String)] = [], kinds: [String: PropertyType] = [:],
            typedProperties: String? = nil
        ) {
            self.time = time
            self.clock = clock
            self.type = type
            self.until = until
            self.untilClock = untilClock
            self.note = note
            self.id = id
            self.allDay = allDay
            self.location = location
            self.lat = lat
            self.lon = lon
            self.properties = properties
            self.known = known
            self.kinds = kinds
            self.typedProperties = typedProperties
        }

        /// The columns with days or moments.
        package var times: [String] { [time] + (until.map { [$0] } ?? []) }

        /// All named columns.
        package var named: [String] {
            let needed = [time, type, allDay ?? ""].filter { !$0.isEmpty && !$0.hasPrefix("=") }
            let others = [clock, until, untilClock, note, id, location, lat, lon].compactMap(\.self)
            return needed + others + properties.map { $0.column }
        }
    }

    package enum TypeSource {
        case column(Int)
        case fixed(String)
    }

    package enum AllDaySource {
        case column(Int)
        case fixed(Bool)
    }

    package let time: Int
    package let clock: Int?
    package let type: TypeSource
    package let until: Int?
    let untilClock: Int?
    package let note: Int?
    package let id: Int?
    package let allDay: AllDaySource?
    package let location: Int?
    package let lat: Int?
    package let lon: Int?
    package let properties: [(key: String, column: Int, kind: PropertyType?)]
    package let known: [(key: String, column: Int)]
    let typedProperties: Int?
    /// The additional columns of a Trendy export; nil for other files.
    package let exported: ExportedColumns?
    /// The number of columns.
    package let count: Int

    /// Finds the columns in the first row of a file.
    ///
    /// - Throws: ``InputError`` with the existing columns.
    package init(_ request: Request, header: CSVRow) throws {
        guard let names = Self.names(header) else {
            throw InputError.data(
                "line \(header.line): the names of the columns are not UTF-8; save the file as UTF-8: "
                    + RowError.conversion)
        }
        let find = { (name: String) in try Self.index(of: name, in: names) }
        count = names.count
        time = try find(request.time)
        clock = try request.clock.map(find)
        if request.type.hasPrefix("=") {
            let name = Names.trimmed(String(request.type.dropFirst()))
            if name.isEmpty { throw InputError.usage("--type = needs a name after it, like --type =commit") }
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
            throw InputError.usage("--all-day = needs yes or no after it, like --all-day =yes")
        }
        return .fixed(flag)
    }

    package static func names(_ header: CSVRow) -> [String]? {
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
            if found.count > 1 { throw InputError.data("the file has \(found.count) columns named '\(wanted)'") }
        }
        throw InputError.data(missing(wanted, names))
    }

    private static func missing(_ wanted: String, _ names: [String]) -> String {
        let near = Suggestion.nearest(to: wanted, among: names).map { "; did you mean '\($0)'?" } ?? ""
        let sentence = "the file has no column '\(wanted)'; it has \(names.joined(separator: ", "))\(near)"
        guard names.count == 1, let only = names.first else { return sentence }
        let separators: [(Character, String)] = [(";", "';'"), ("\t", "tab"), ("|", "'|'"), (",", "','")]
        guard let other = separators.first(where: { only.contains($0.0) }) else { return sentence }
        return sentence.withHint("if \(other.1) separates the fields, add --delimiter \(other.1)")
    }
}

/// The usual names of columns.
enum ColumnRoles {
    /// The names of each role, in English and German.
    static let names = [
        "time": [
            "timestamp", "datetime", "dateandtime", "start", "started", "startedat", "starttime", "startdate",
            "startdatetime", "begin", "when", "at", "occurredat", "loggedat", "time", "beginn", "zeitpunkt", "zeit",
        ],
        // The time of the record, if there is no time of the event.
        "written": ["createdat", "created"],
        "day": ["date", "day", "fulldate", "startdate", "startday", "datum"],
        // Names of a time of day of the start.
        "began": ["starttime", "start", "begin", "beginn", "started", "startedat", "startzeit", "von", "from"],
        "clock": ["time", "clock", "timeofday", "hour", "starttime", "uhrzeit", "zeit"],
        "type": [
            "eventtype", "type", "event", "habit", "activity", "category", "kind", "what", "name", "project", "title",
            "task", "label", "typ", "art", "aktivität", "aktivitaet", "tätigkeit", "taetigkeit",
            "projekt",
        ],
        "until": [
            "enddate", "end", "endtime", "enddatetime", "until", "stop", "stopped", "ended", "endedat", "finish", "to",
            "ende", "endzeit", "bis",
        ],
        "id": ["id", "uid", "uuid", "guid", "eventid", "externalid"],
        "allday": ["isallday", "allday", "alldayevent"],
        "note": [
            "notes", "note", "comment", "comments", "remark", "remarks", "description", "memo", "details", "text",
            "notiz", "notizen", "bemerkung", "bemerkungen", "kommentar",
        ],
        "location": ["locationname", "location", "place", "where", "venue", "ort"],
        "lat": ["locationlatitude", "latitude", "lat"],
        "lon": ["locationlongitude", "longitude", "lon", "lng", "long"],
    ]
}

/// The columns that only a Trendy export has.
package struct ExportedColumns {
    package let sourceType: Int
    package let externalId: Int
    package let originalTitle: Int
    package let geofenceId: Int
    package let healthKitSampleId: Int
    package let healthKitCategory: Int

    package static let names = [
        "source_type", "external_id", "original_title", "geofence_id", "healthkit_sample_id", "healthkit_category",
    ]

    /// Finds the columns; nil if the file is not a Trendy export.
    init?(_ names: [String]) {
        guard names.contains("event_type_id") else { return nil }
        let found = Self.names.compactMap { names.firstIndex(of: $0) }
        guard found.count == Self.names.count else { return nil }
        (sourceType, externalId, originalTitle) = (found[0], found[1], found[2])
        (geofenceId, healthKitSampleId, healthKitCategory) = (found[3], found[4], found[5])
    }
}
