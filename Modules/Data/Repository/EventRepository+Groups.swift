import GRDB
public import TrendyDomain

/// The events that have one value of a property.
public struct EventGroup: Sendable {
    /// The value; nil for the events that have none.
    public let value: PropertyValue?
    /// How many events there are.
    public let count: Int
    /// What was measured of them.
    public let totals: ValueTotals
}

extension EventRepository {
    /// Puts the matching events together by the value that they have of a property, in no particular order.
    ///
    /// - Parameters:
    ///   - key: The key of the property.
    ///   - part: What is measured: only events that have it count.
    ///   - keepsValues: Whether each measured value is kept, for ``Aggregation/median``.
    ///   - filter: Selects the events.
    ///   - step: Called for each event; what it throws ends the reading.
    /// - Throws: ``StoreError``, or what the step throws.
    public func groups(
        by key: String, measuring part: EventSpan.Part, keepsValues: Bool = false, matching filter: EventFilter,
        _ step: () throws -> Void = {}
    ) throws -> [EventGroup] {
        var condition = ConditionSQL(filter)
        let group = PropertySQL(key, &condition)
        let measured =
            switch part {
            case .all: "NULL"
            case .number(let key): PropertySQL(key, &condition).statisticalValue
            case .length:
                "CASE WHEN \(ConditionSQL.lasting.joined(separator: " AND ")) THEN (end_date - timestamp) / 1000.0 END"
            }
        let columns = "\(group.type), \(group.kind), \(group.value), \(measured)"
        let query = EventSQL("SELECT \(columns) FROM event\(condition.clause)", condition)
        var found: [GroupKey: (count: Int, totals: ValueTotals)] = [:]
        try walk { database, calls in
            let rows = try Row.fetchCursor(query.statement(database))
            while let row = try rows.next() {
                try calls.make(step)
                let number: Double? = row[3]
                if number == nil, part != .all { continue }
                let key = GroupKey(type: row[0], kind: row[1], value: row[2])
                found[key, default: (0, ValueTotals())].count += 1
                if let number { found[key]?.totals.add(ValueTotals(number, keepsValue: keepsValues)) }
            }
        }
        return found.map { EventGroup(value: $0.propertyValue, count: $1.count, totals: $1.totals) }
    }
}

/// The value of a property as SQLite has it.
private struct GroupKey: Hashable {
    let type: DatabaseValue
    let kind: DatabaseValue
    let value: DatabaseValue

    /// Nil where there is no value.
    var propertyValue: PropertyValue? {
        guard let kind = kind.text, kind != "null", let type = type.text else { return nil }
        let json: JSONValue =
            switch (kind, value.storage) {
            case ("true", _), ("false", _): .boolean(kind == "true")
            case (_, .int64(let number)): .integer(number)
            case (_, .double(let number)): .number(number)
            default: .string(value.text ?? "")
            }
        return PropertyValue(type: PropertyType(rawValue: type), value: json)
    }
}
