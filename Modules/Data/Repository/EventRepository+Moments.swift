import GRDB
public import TrendyDomain

// What statistics need of events, and no more of each: an index answers, and no record is read.

extension EventRepository {
    /// The ids of the types that have events, in order.
    ///
    /// - Throws: ``StoreError``.
    public func typesInUse() throws(StoreError) -> [String] {
        try read { try $0.prepared("\(EventSQL.types) SELECT id FROM type WHERE id IS NOT NULL").fetchIds() }
    }

    /// Hands over when the matching events began, and whether they have a day and no time of day, in no particular order.
    ///
    /// - Parameter body: Takes the moment, and true for an all-day event.
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachMomentAndDay(matching filter: EventFilter, _ body: (Timestamp, Bool) throws -> Void) throws {
        // Both in one number: GRDB hands over single values several times as fast as rows.
        let query = EventSQL(momentsOf: filter, "2 * timestamp + (is_all_day <> 0)")
        try walk { database, calls in
            let moments = try Int64.fetchCursor(query.statement(database))
            while let moment = try moments.next() {
                try calls.make { try body(Timestamp(milliseconds: moment >> 1), moment & 1 == 1) }
            }
        }
    }

    /// Hands over the values that the matching events have of a property, numbers and durations in seconds, in no
    /// particular order.
    ///
    /// - Parameters:
    ///   - key: The key of the property.
    ///   - filter: Selects the events.
    ///   - body: Takes when the event began, true for an all-day event, and its value.
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachNumber(
        of key: String, matching filter: EventFilter, _ body: (Timestamp, Bool, Double) throws -> Void
    ) throws {
        var condition = ConditionSQL(filter)
        let number = PropertySQL(key, &condition).statisticalValue
        let query = EventSQL("SELECT timestamp, is_all_day <> 0, \(number) FROM event\(condition.clause)", condition)
        try walk { database, calls in
            let rows = try Row.fetchCursor(query.statement(database))
            while let row = try rows.next() {
                guard let value: Double = row[2] else { continue }
                let moment = Timestamp(milliseconds: row[0])
                let isAllDay: Bool = row[1]
                try calls.make { try body(moment, isAllDay, value) }
            }
        }
    }

    /// Hands over how many seconds the matching events lasted, in no particular order: those that have an end and a time
    /// of day.
    ///
    /// - Parameter body: Takes when the event began, and how many seconds later it ended.
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachLength(matching filter: EventFilter, _ body: (Timestamp, Double) throws -> Void) throws {
        let query = EventSQL(momentsOf: filter, "timestamp, end_date - timestamp", also: ConditionSQL.lasting)
        try walk { database, calls in
            let rows = try Row.fetchCursor(query.statement(database))
            while let row = try rows.next() {
                let moment = Timestamp(milliseconds: row[0])
                let milliseconds: Double = row[1]
                try calls.make { try body(moment, milliseconds / 1000) }
            }
        }
    }

    /// Hands over when the matching events began and ended, in no particular order: those that go on after their first
    /// moment.
    ///
    /// - Parameter body: Takes when the event began, when it ended, and true for an all-day event.
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachSpan(
        matching filter: EventFilter, _ body: (Timestamp, Timestamp, Bool) throws -> Void
    ) throws {
        let columns = "timestamp, end_date, is_all_day <> 0"
        let query = EventSQL(momentsOf: filter, columns, also: ["end_date > timestamp"])
        try walk { database, calls in
            let rows = try Row.fetchCursor(query.statement(database))
            while let row = try rows.next() {
                let (start, end) = (Timestamp(milliseconds: row[0]), Timestamp(milliseconds: row[1]))
                let isAllDay: Bool = row[2]
                try calls.make { try body(start, end, isAllDay) }
            }
        }
    }
}

/// How many events there are of a choice, and when the first and the last of them began.
public struct EventSpan: Sendable, Hashable {
    /// Which events are counted.
    public enum Part: Sendable, Hashable {
        /// All of them.
        case all
        /// Those with a number, or a duration, of the property with this key.
        case number(key: String)
        /// Those with an end and a time of day.
        case length
    }

    /// How many there are, at least one.
    public let count: Int
    /// When the first one began.
    public let first: Timestamp
    /// When the last one began.
    public let last: Timestamp
}

extension EventRepository {
    /// Counts events, and finds the first and the last moment at which one began; nil where there are none.
    ///
    /// - Parameters:
    ///   - part: Which of the matching events count.
    ///   - filter: Selects the events.
    /// - Throws: ``StoreError``.
    public func span(of part: EventSpan.Part, matching filter: EventFilter) throws(StoreError) -> EventSpan? {
        let columns = "count(*), min(timestamp), max(timestamp)"
        let query: EventSQL
        switch part {
        case .all: query = EventSQL(momentsOf: filter, columns)
        case .length: query = EventSQL(momentsOf: filter, columns, also: ConditionSQL.lasting)
        case .number(let key):
            var condition = ConditionSQL(filter)
            let number = PropertySQL(key, &condition).statisticalValue
            let valued = condition.clause.isEmpty ? " WHERE" : "\(condition.clause) AND"
            query = EventSQL("SELECT \(columns) FROM event\(valued) \(number) IS NOT NULL", condition)
        }
        return try read { database in
            let row = try Row.fetchOne(query.statement(database))
            guard let row, let first: Int64 = row[1], let last: Int64 = row[2] else { return nil }
            return EventSpan(
                count: row[0], first: Timestamp(milliseconds: first), last: Timestamp(milliseconds: last))
        }
    }
}

extension EventSQL {
    /// Names the types that have events `type`: from one straight to the next in the index, whatever the number of
    /// events between them. The last one is null.
    fileprivate static let types = """
        WITH RECURSIVE type (id) AS (
            SELECT min(event_type_id) FROM event
            UNION ALL
            SELECT (SELECT min(event_type_id) FROM event WHERE event_type_id > type.id) FROM type
            WHERE type.id IS NOT NULL
        )
        """

    /// Reads a little of many events.
    fileprivate init(momentsOf filter: EventFilter, _ columns: String, also terms: [String] = []) {
        let condition = ConditionSQL(filter, also: terms)
        if condition.clause.isEmpty || filter.eventTypeIds != nil || filter.condition != .always {
            self.init("SELECT \(columns) FROM event\(condition.clause)", condition)
        } else {
            // The index of moments alone does not say which events last all day; that of types and moments does, where
            // it is asked for one type after the other. CROSS JOIN keeps SQLite from another order.
            let events = "type CROSS JOIN event ON event_type_id = type.id"
            self.init("\(Self.types) SELECT \(columns) FROM \(events)\(condition.clause)", condition)
        }
    }
}
