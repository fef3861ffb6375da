import GRDB
public import TrendyDomain

// What statistics need of events, and no more of each: an index answers, and no record is read.

extension EventRepository {
    /// The ids of the types that have events, in order.
    ///
    /// - Throws: ``StoreError``.
    public func typesInUse() throws(StoreError) -> [String] {
        try read { try $0.prepared("\(MomentSQL.types) SELECT id FROM type WHERE id IS NOT NULL").fetchIds() }
    }

    /// Hands over when events began, and whether they have a day and no time of day, in no particular order.
    ///
    /// - Parameters:
    ///   - eventTypeId: The type of the events, nil for all.
    ///   - since: Only events at or after this moment.
    ///   - until: Only events before this moment.
    ///   - body: Takes the moment, and true for an all-day event.
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachMomentAndDay(
        of eventTypeId: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
        _ body: (Timestamp, Bool) throws -> Void
    ) throws {
        // Both in one number: GRDB hands over single values several times as fast as rows.
        let query = MomentSQL("2 * timestamp + (is_all_day <> 0)", eventTypeId, since, until)
        try walk { database, calls in
            let moments = try Int64.fetchCursor(database.prepared(query.sql, query.arguments))
            while let moment = try moments.next() {
                try calls.make { try body(Timestamp(milliseconds: moment >> 1), moment & 1 == 1) }
            }
        }
    }

    /// Hands over the values that events have of a property, numbers and durations in seconds, in no particular order.
    ///
    /// - Parameters:
    ///   - key: The key of the property.
    ///   - eventTypeId: The type of the events.
    ///   - since: Only events at or after this moment.
    ///   - until: Only events before this moment.
    ///   - body: Takes when the event began, true for an all-day event, and its value.
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachNumber(
        of key: String, eventTypeId: String, since: Timestamp? = nil, until: Timestamp? = nil,
        _ body: (Timestamp, Bool, Double) throws -> Void
    ) throws {
        let columns = "timestamp, is_all_day <> 0, \(MomentSQL.number)"
        let query = MomentSQL(columns, eventTypeId, since, until, first: [key.databaseValue])
        try walk { database, calls in
            let rows = try Row.fetchCursor(database.prepared(query.sql, query.arguments))
            while let row = try rows.next() {
                guard let value: Double = row[2] else { continue }
                let moment = Timestamp(milliseconds: row[0])
                let isAllDay: Bool = row[1]
                try calls.make { try body(moment, isAllDay, value) }
            }
        }
    }

    /// Hands over how many seconds events lasted, in no particular order: those that have an end and a time of day.
    ///
    /// - Parameters:
    ///   - eventTypeId: The type of the events, nil for all.
    ///   - since: Only events that began at or after this moment.
    ///   - until: Only events that began before this moment.
    ///   - body: Takes when the event began, and how many seconds later it ended.
    /// - Throws: ``StoreError``, or what the body throws.
    public func forEachLength(
        of eventTypeId: String? = nil, since: Timestamp? = nil, until: Timestamp? = nil,
        _ body: (Timestamp, Double) throws -> Void
    ) throws {
        let columns = "timestamp, end_date - timestamp"
        let query = MomentSQL(columns, eventTypeId, since, until, also: MomentSQL.lasting)
        try walk { database, calls in
            let rows = try Row.fetchCursor(database.prepared(query.sql, query.arguments))
            while let row = try rows.next() {
                let moment = Timestamp(milliseconds: row[0])
                let milliseconds: Double = row[1]
                try calls.make { try body(moment, milliseconds / 1000) }
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
    ///   - part: Which events count.
    ///   - eventTypeId: The type of the events, nil for all.
    /// - Throws: ``StoreError``.
    public func span(of part: EventSpan.Part, eventTypeId: String? = nil) throws(StoreError) -> EventSpan? {
        let columns = "count(*), min(timestamp), max(timestamp)"
        let query =
            switch part {
            case .all: MomentSQL(columns, eventTypeId, nil, nil)
            case .length: MomentSQL(columns, eventTypeId, nil, nil, also: MomentSQL.lasting)
            case .number(let key):
                MomentSQL(
                    columns, eventTypeId, nil, nil, also: ["\(MomentSQL.number) IS NOT NULL"],
                    last: [key.databaseValue])
            }
        return try read { database in
            let row = try Row.fetchOne(database.prepared(query.sql, query.arguments))
            guard let row, let first: Int64 = row[1], let last: Int64 = row[2] else { return nil }
            return EventSpan(
                count: row[0], first: Timestamp(milliseconds: first), last: Timestamp(milliseconds: last))
        }
    }
}

/// The SQL that reads a little of many events.
private struct MomentSQL {
    /// Names the types that have events `type`: from one straight to the next in the index, whatever the number of
    /// events between them. The last one is null.
    static let types = """
        WITH RECURSIVE type (id) AS (
            SELECT min(event_type_id) FROM event
            UNION ALL
            SELECT (SELECT min(event_type_id) FROM event WHERE event_type_id > type.id) FROM type
            WHERE type.id IS NOT NULL
        )
        """

    /// The number, or the seconds of the duration, that an event has of a property, whose key is bound.
    static let number = """
        (
            SELECT json_extract(value, '$.value') FROM json_each(event.properties)
            WHERE key = ? AND json_extract(value, '$.type') IN ('number', 'duration')
                AND json_type(value, '$.value') IN ('integer', 'real')
        )
        """
    /// What the events meet whose length is known.
    static let lasting = ["is_all_day = 0", "end_date >= timestamp"]

    let sql: String
    let arguments: [DatabaseValue]

    init(
        _ columns: String, _ eventTypeId: String?, _ since: Timestamp?, _ until: Timestamp?,
        first: [DatabaseValue] = [], also others: [String] = [], last: [DatabaseValue] = []
    ) {
        let terms = [
            eventTypeId.map { ("event_type_id = ?", StoredId.value($0)) },
            since.map { ("timestamp >= ?", $0.milliseconds.databaseValue) },
            until.map { ("timestamp < ?", $0.milliseconds.databaseValue) },
        ].compactMap(\.self)
        arguments = first + terms.map(\.1) + last
        let conditions = (terms.map(\.0) + others).joined(separator: " AND ")
        if conditions.isEmpty {
            sql = "SELECT \(columns) FROM event"
        } else if eventTypeId != nil {
            sql = "SELECT \(columns) FROM event WHERE \(conditions)"
        } else {
            // The index of moments alone does not say which events last all day; that of types and moments does, where
            // it is asked for one type after the other. CROSS JOIN keeps SQLite from another order.
            let events = "type CROSS JOIN event ON event_type_id = type.id"
            sql = "\(Self.types) SELECT \(columns) FROM \(events) WHERE \(conditions)"
        }
    }
}
