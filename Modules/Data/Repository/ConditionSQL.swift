import GRDB
import TrendyDomain

/// Writes what an ``EventFilter`` selects by as SQL; what a person typed is only ever an argument.
struct ConditionSQL {
    /// The values of the marks `?1`, `?2` and so on.
    private(set) var arguments: [DatabaseValue] = []
    /// The functions that the SQL calls.
    private(set) var functions: [DatabaseFunction] = []
    /// ` WHERE …`; empty where every event is selected.
    private(set) var clause = ""

    /// - Parameters:
    ///   - filter: What events must meet.
    ///   - terms: What they must meet beside it.
    init(_ filter: EventFilter, also terms: [String] = []) {
        // Where the few events that last are looked for, theirs is the best index.
        let isLasting = filter.lastingAt != nil
        var all: [String] = []
        if let types = filter.eventTypeIds {
            all.append(typeTerm(types, isLasting ? "+event_type_id" : "event_type_id"))
        }
        all += intervalTerms(filter.interval, "timestamp") + lastingTerms(filter)
        if filter.condition != .always { all.append(term(filter.condition)) }
        all += terms
        if !all.isEmpty { clause = " WHERE " + all.joined(separator: " AND ") }
    }

    /// Adds an argument, and answers its mark.
    mutating func bind(_ value: DatabaseValue) -> String {
        arguments.append(value)
        return "?\(arguments.count)"
    }

    // MARK: Conditions

    private mutating func term(_ condition: EventCondition) -> String {
        switch condition {
        case .all(let parts): return joined(parts, " AND ", none: "1")
        case .any(let parts): return joined(parts, " OR ", none: "0")
        // What is null is not met, and its opposite is.
        case .not(let part): return "NOT ifnull(\(term(part)), 0)"
        case .type(let ids): return typeTerm(ids, "event_type_id")
        case .began(let interval): return Self.all(intervalTerms(interval, "timestamp"))
        case .ended(let interval): return Self.all(["end_date IS NOT NULL"] + intervalTerms(interval, "end_date"))
        case .lasted(let comparison, let seconds):
            let milliseconds = bind((seconds * 1000).databaseValue)
            return Self.all(Self.lasting + ["end_date - timestamp \(comparison.rawValue) \(milliseconds)"])
        case .text(let fields, let test):
            return Self.any(EventTextField.allCases.filter(fields.contains).map { text(test, Self.column($0)) })
        case .hashtag(let tag): return hashtag(tag)
        case .place(let id): return id.map { "geofence_id = \(bind(StoredId.value($0)))" } ?? "geofence_id IS NULL"
        case .property(let key, let test): return property(key, test)
        case .allDay: return "is_all_day = 1"
        case .status(let status): return "sync_status = \(bind(status.rawValue.databaseValue))"
        case .id(let id): return "id = \(bind(StoredId.value(id)))"
        }
    }

    private mutating func joined(_ parts: [EventCondition], _ word: String, none: String) -> String {
        parts.isEmpty ? none : "(" + parts.map { term($0) }.joined(separator: word) + ")"
    }

    private static func all(_ terms: [String]) -> String {
        terms.isEmpty ? "1" : "(\(terms.joined(separator: " AND ")))"
    }

    private static func any(_ terms: [String]) -> String {
        terms.isEmpty ? "0" : "(\(terms.joined(separator: " OR ")))"
    }

    /// What the events meet whose length is known.
    static let lasting = ["is_all_day = 0", "end_date >= timestamp"]

    /// One type is looked up in its index; for several, the order by time is worth more.
    private mutating func typeTerm(_ types: Set<String>, _ column: String) -> String {
        if types.isEmpty { return "0" }
        let marks = types.sorted().map { bind(StoredId.value($0)) }
        return marks.count == 1 ? "\(column) = \(marks[0])" : "\(column) IN (\(marks.joined(separator: ", ")))"
    }

    // MARK: Times

    private mutating func bind(_ moment: Timestamp) -> String { bind(moment.milliseconds.databaseValue) }

    /// A comparison of moments first, for an index; then where it is days that count, the exact condition.
    private mutating func intervalTerms(_ interval: EventInterval, _ column: String) -> [String] {
        var terms: [String] = []
        if let earliest = interval.earliest { terms.append("\(column) >= \(bind(earliest))") }
        if let latest = interval.latest { terms.append("\(column) < \(bind(latest))") }
        if let since = interval.since, let day = interval.sinceDay {
            let ofDay = reached(day, column)
            terms.append("CASE is_all_day WHEN 0 THEN \(column) >= \(bind(since)) ELSE \(ofDay) END")
        }
        if let until = interval.until, let day = interval.untilDay {
            let ofDay = reached(day, column)
            terms.append("CASE is_all_day WHEN 0 THEN \(column) < \(bind(until)) ELSE NOT \(ofDay) END")
        }
        return terms
    }

    /// What selects the events of whole days that go on at a moment.
    private mutating func lastingTerms(_ filter: EventFilter) -> [String] {
        guard let day = filter.lastingDay else { return [] }
        let earliest = bind(min(day.here, day.elsewhere))
        return [
            // As the condition of their index says it.
            "is_all_day = 1 AND end_date IS NOT NULL", "end_date >= \(earliest)", reached(day, "end_date"),
            "NOT \(reached(day, "+timestamp"))",
        ]
    }

    /// Says what ``DayStart/isReached(by:)`` says, of the moments in a column.
    private mutating func reached(_ day: DayStart, _ column: String) -> String {
        let (here, before, elsewhere) = (bind(day.here), bind(day.dayBefore), bind(day.elsewhere))
        let isElsewhere = "\(column) % \(DayStart.midnightStep) = 0 AND \(column) NOT IN (\(here), \(before))"
        return "(CASE WHEN \(isElsewhere) THEN \(column) >= \(elsewhere) ELSE \(column) >= \(here) END)"
    }

    // MARK: Texts

    private static func column(_ field: EventTextField) -> String {
        switch field {
        case .notes: "notes"
        case .title: "original_title"
        case .location: "location_name"
        }
    }

    private mutating func text(_ test: TextTest, _ column: String) -> String {
        switch test {
        case .contains(let search): contains(search, column)
        case .equals(let search): equals(search, column)
        case .isMissing: "(\(column) IS NULL OR \(column) = '')"
        }
    }

    /// SQLite's own comparison is the faster one, but it knows upper and lower case of ASCII alone and
    /// stops at a NUL; texts with one are stored as bytes.
    private mutating func contains(_ search: TextSearch, _ column: String) -> String {
        use(TextSearch.containsFunction)
        let plain = bind(search.text.databaseValue)
        guard search.isASCII else { return "(\(column) IS NOT NULL AND trendy_contains(\(column), \(plain)))" }
        let pattern = bind(search.likePattern.databaseValue)
        return "(\(column) LIKE \(pattern) ESCAPE '\\' "
            + "OR (typeof(\(column)) = 'blob' AND trendy_contains(\(column), \(plain))))"
    }

    private mutating func equals(_ search: TextSearch, _ column: String) -> String {
        if search.isASCII, !search.text.utf8.contains(0) {
            return "lower(\(column)) = \(bind(search.text.databaseValue))"
        }
        use(TextSearch.equalsFunction)
        return "(\(column) IS NOT NULL AND trendy_equals(\(column), \(bind(search.text.databaseValue))))"
    }

    private mutating func hashtag(_ tag: Hashtag) -> String {
        use(Hashtag.function)
        return "(\(text(.contains(tag.search), "notes")) AND trendy_hashtag(notes, \(bind(tag.text.databaseValue))))"
    }

    fileprivate mutating func use(_ function: DatabaseFunction) {
        if !functions.contains(where: { $0.id == function.id }) { functions.append(function) }
    }

    // MARK: Properties

    private mutating func property(_ key: String, _ test: PropertyTest) -> String {
        let property = PropertySQL(key, &self)
        switch test {
        case .isPresent: return "ifnull(\(property.kind), 'null') <> 'null'"
        case .boolean(let flag): return "\(property.kind) = '\(flag)'"
        case .number(let comparison, let number):
            let isMet = "\(property.value) \(comparison.rawValue) \(bind(number.databaseValue))"
            return "(\(property.isNumber) AND \(isMet))"
        case .text(let test):
            return "(\(property.kind) = 'text' AND \(text(test, property.value)))"
        case .date(let interval):
            use(Timestamp.function)
            let moment = "trendy_moment(\(property.value))"
            let ofDay = Self.all(intervalTerms(interval.days, moment))
            let others = Self.all(intervalTerms(interval.moments, moment))
            let date = "CASE \(moment) % \(DayInterval.dayStep) WHEN 0 THEN \(ofDay) ELSE \(others) END"
            return "(\(property.kind) = 'text' AND \(moment) IS NOT NULL AND \(date))"
        }
    }
}

/// The SQL that reads the value of a property: under the key that is spelt so, or else under the first one that is the
/// same by its ``NameKey``.
struct PropertySQL {
    /// What kind of property it is, null where there is none.
    let type: String
    /// What kind of JSON value it is, null where there is none.
    let kind: String
    /// The value as SQLite has it, null where there is none.
    let value: String
    /// The value where a statistic can compute with it: a number, or the seconds of a duration; else null.
    let statisticalValue: String

    /// - Parameter condition: Takes the arguments and the function of the SQL.
    init(_ key: String, _ condition: inout ConditionSQL) {
        let name = condition.bind(NameKey(key).text.databaseValue)
        condition.use(NameKey.function)
        // The store writes keys in the order of their bytes, and SQLite reads them in that order.
        let member = { (part: String, term: String) in
            "(SELECT \(part) FROM json_each(event.properties) WHERE \(term) LIMIT 1)"
        }
        // Most keys are words of ASCII, of which SQLite itself knows whether they are the same.
        let isSame = "(lower(key) = \(name) OR (key GLOB '*[^!-~]*' AND trendy_name_key(key) = \(name)))"
        // Most events have no properties, or this spelling: for another one, each key of the event has to be read.
        let read = { (exact: String, part: String) in
            "(CASE WHEN properties <> '{}' THEN ifnull(\(exact), \(member(part, isSame))) END)"
        }
        let (ofKind, ofValue) = ("json_type(value, '$.value')", "json_extract(value, '$.value')")
        let ofType = "json_extract(value, '$.type')"
        // A path has no way to write a quote, and what it makes of an escape depends on the version of SQLite.
        let isPlain = key.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" && $0 != "/" }
        if isPlain, !key.isEmpty {
            let path = condition.bind("$.\"\(key)\".value".databaseValue)
            let typePath = condition.bind("$.\"\(key)\".type".databaseValue)
            kind = read("json_type(properties, \(path))", ofKind)
            value = read("json_extract(properties, \(path))", ofValue)
            type = read("json_extract(properties, \(typePath))", ofType)
        } else {
            let isExact = "key = \(condition.bind(key.databaseValue))"
            kind = read(member(ofKind, isExact), ofKind)
            value = read(member(ofValue, isExact), ofValue)
            type = read(member(ofType, isExact), ofType)
        }
        statisticalValue =
            "CASE WHEN \(kind) IN ('integer', 'real') AND \(type) IN ('number', 'duration') THEN \(value) END"
    }

    var isNumber: String { "\(kind) IN ('integer', 'real')" }
}

extension TextSearch {
    fileprivate var likePattern: String {
        var pattern = "%"
        for character in text {
            if character == "%" || character == "_" || character == "\\" { pattern.append("\\") }
            pattern.append(character)
        }
        return pattern + "%"
    }

    /// True where the first text contains the second, which is in lower case.
    fileprivate static let containsFunction = function("trendy_contains") { isFound($1, in: $0) }

    /// True where the first text is the second, which is in lower case.
    fileprivate static let equalsFunction = function("trendy_equals") { isEqual($1, to: $0) }

    fileprivate static func function(
        _ name: String, _ test: @escaping @Sendable (_ text: String, _ wanted: String) -> Bool
    ) -> DatabaseFunction {
        DatabaseFunction(name, argumentCount: 2, pure: true) { values in
            guard let text = values[0].text, let wanted = values[1].text else { return false }
            return test(text, wanted)
        }
    }
}

extension Hashtag {
    /// True where the first text has the hashtag that is the second.
    fileprivate static let function = TextSearch.function("trendy_hashtag") { text, wanted in
        Hashtag(wanted)?.isFound(in: text) ?? false
    }
}

extension NameKey {
    /// The key of a name, as text.
    fileprivate static let function = DatabaseFunction("trendy_name_key", argumentCount: 1, pure: true) { values in
        values[0].text.map { NameKey($0).text }
    }
}

extension Timestamp {
    /// The milliseconds of the moment that a text writes; null where it writes none.
    fileprivate static let function = DatabaseFunction("trendy_moment", argumentCount: 1, pure: true) { values in
        values[0].text.flatMap(Timestamp.init)?.milliseconds
    }
}
