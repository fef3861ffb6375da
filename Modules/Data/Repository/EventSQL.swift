import GRDB
import TrendyDomain

/// The SQL of an ``EventFilter``; what a person typed is only ever an argument.
struct EventSQL {
    let sql: String
    let arguments: [DatabaseValue]
    private let needsTextSearch: Bool

    /// The matching events, in the filter's order and up to its limit; the columns are those of the table.
    static func fetch(_ filter: EventFilter, from table: RecordTable) -> EventSQL {
        make(filter) { conditions, bind in
            let direction = filter.order == .newestFirst ? "DESC" : "ASC"
            let limit = bind((filter.limit.map { max(0, $0) } ?? -1).databaseValue)
            let column = indexed("timestamp", filter)
            return "\(table.fetchAll)\(conditions) ORDER BY \(column) \(direction), id \(direction) LIMIT \(limit)"
        }
    }

    static func count(_ filter: EventFilter) -> EventSQL {
        make(filter) { conditions, _ in "SELECT count(*) FROM event\(conditions)" }
    }

    static func countsByType(_ filter: EventFilter) -> EventSQL {
        make(filter) { conditions, _ in
            "SELECT event_type_id, count(*) FROM event\(conditions) GROUP BY event_type_id"
        }
    }

    /// Gets a connection ready for the query.
    func prepare(_ database: Database) throws {
        if needsTextSearch { database.add(function: TextSearch.function) }
    }

    private static func make(
        _ filter: EventFilter, _ build: (String, (DatabaseValue) -> String) -> String
    ) -> EventSQL {
        var arguments: [DatabaseValue] = []
        func bind(_ value: DatabaseValue) -> String {
            arguments.append(value)
            return "?\(arguments.count)"
        }
        var terms: [String] = []
        if let types = filter.eventTypeIds { terms.append(typeTerm(types, indexed("event_type_id", filter), bind)) }
        let bindMoment = { (moment: Timestamp) in bind(moment.milliseconds.databaseValue) }
        terms += timeTerms(filter, bindMoment) + lastingTerms(filter, bindMoment)
        if let status = filter.syncStatus { terms.append("sync_status = \(bind(status.rawValue.databaseValue))") }
        let search = filter.searchText.flatMap(TextSearch.init)
        if let search { terms.append(search.term(bind)) }
        let conditions = terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND ")
        let sql = build(conditions, bind)
        return EventSQL(sql: sql, arguments: arguments, needsTextSearch: search != nil)
    }

    /// A comparison of moments first, for an index; then where it is days that count, the exact condition.
    private static func timeTerms(_ filter: EventFilter, _ bind: (Timestamp) -> String) -> [String] {
        var terms: [String] = []
        if let earliest = filter.earliest { terms.append("timestamp >= \(bind(earliest))") }
        if let latest = filter.latest { terms.append("timestamp < \(bind(latest))") }
        if let since = filter.since, let day = filter.dayStarts?.since {
            let ofDay = reached(day, "timestamp", bind)
            terms.append("CASE is_all_day WHEN 0 THEN timestamp >= \(bind(since)) ELSE \(ofDay) END")
        }
        if let until = filter.until, let day = filter.dayStarts?.until {
            let ofDay = reached(day, "timestamp", bind)
            terms.append("CASE is_all_day WHEN 0 THEN timestamp < \(bind(until)) ELSE NOT \(ofDay) END")
        }
        return terms
    }

    /// What selects the events of whole days that go on at a moment.
    private static func lastingTerms(_ filter: EventFilter, _ bind: (Timestamp) -> String) -> [String] {
        guard let day = filter.lastingDay else { return [] }
        let earliest = bind(min(day.here, day.elsewhere))
        return [
            // As the condition of their index says it.
            "is_all_day = 1 AND end_date IS NOT NULL", "end_date >= \(earliest)", reached(day, "end_date", bind),
            "NOT \(reached(day, "+timestamp", bind))",
        ]
    }

    /// Says what ``DayStart/isReached(by:)`` says, of the moments in a column.
    private static func reached(_ day: DayStart, _ column: String, _ bind: (Timestamp) -> String) -> String {
        let (here, before, elsewhere) = (bind(day.here), bind(day.dayBefore), bind(day.elsewhere))
        let isElsewhere = "\(column) % \(DayStart.midnightStep) = 0 AND \(column) NOT IN (\(here), \(before))"
        return "(CASE WHEN \(isElsewhere) THEN \(column) >= \(elsewhere) ELSE \(column) >= \(here) END)"
    }

    /// The column, or where the few events that last are looked for, the column without its index: theirs is the best.
    private static func indexed(_ column: String, _ filter: EventFilter) -> String {
        filter.lastingAt == nil ? column : "+\(column)"
    }

    /// One type is looked up in its index; for several, the order by time is worth more.
    private static func typeTerm(
        _ types: Set<String>, _ column: String, _ bind: (DatabaseValue) -> String
    ) -> String {
        if types.isEmpty { return "0" }
        let marks = types.sorted().map { bind(StoredId.value($0)) }
        return marks.count == 1 ? "\(column) = \(marks[0])" : "\(column) IN (\(marks.joined(separator: ", ")))"
    }
}

extension TextSearch {
    private static let columns = ["notes", "original_title", "location_name"]

    /// SQLite's own comparison is the faster one, but it knows upper and lower case of ASCII alone and
    /// stops at a NUL; texts with one are stored as bytes.
    func term(_ bind: (DatabaseValue) -> String) -> String {
        let plain = bind(text.databaseValue)
        let pattern = isASCII ? bind(likePattern.databaseValue) : ""
        let tests = Self.columns.map { column in
            isASCII
                ? "\(column) LIKE \(pattern) ESCAPE '\\' "
                    + "OR (typeof(\(column)) = 'blob' AND trendy_contains(\(column), \(plain)))"
                : "(\(column) IS NOT NULL AND trendy_contains(\(column), \(plain)))"
        }
        return "(" + tests.joined(separator: " OR ") + ")"
    }

    private var likePattern: String {
        var pattern = "%"
        for character in text {
            if character == "%" || character == "_" || character == "\\" { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern + "%"
    }

    /// True where the first text contains the second, which is in lower case.
    static let function = DatabaseFunction("trendy_contains", argumentCount: 2, pure: true) { values in
        guard let text = values[0].text, let part = values[1].text else { return false }
        return isFound(part, in: text)
    }
}
