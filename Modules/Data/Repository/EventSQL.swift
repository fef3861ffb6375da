import GRDB
import TrendyDomain

/// A query of the events that an ``EventFilter`` selects.
struct EventSQL {
    let sql: String
    let arguments: [DatabaseValue]
    private let functions: [DatabaseFunction]

    /// The matching events, in the filter's order and up to its limit; the columns are those of the table.
    static func fetch(_ filter: EventFilter, from table: RecordTable) -> EventSQL {
        var condition = ConditionSQL(filter)
        let order = order(filter, &condition)
        let limit = condition.bind((filter.limit.map { max(0, $0) } ?? -1).databaseValue)
        return EventSQL("\(table.fetchAll)\(condition.clause) ORDER BY \(order) LIMIT \(limit)", condition)
    }

    static func count(_ filter: EventFilter) -> EventSQL {
        let condition = ConditionSQL(filter)
        return EventSQL("SELECT count(*) FROM event\(condition.clause)", condition)
    }

    static func countsByType(_ filter: EventFilter) -> EventSQL {
        let condition = ConditionSQL(filter)
        return EventSQL(
            "SELECT event_type_id, count(*) FROM event\(condition.clause) GROUP BY event_type_id", condition)
    }

    /// - Parameter condition: What the SQL selects by, with all its arguments.
    init(_ sql: String, _ condition: ConditionSQL) {
        self.sql = sql
        arguments = condition.arguments
        functions = condition.functions
    }

    /// The statement, on a connection that it gets ready.
    func statement(_ database: Database) throws -> Statement {
        for function in functions { database.add(function: function) }
        return try database.prepared(sql, arguments)
    }

    private static func order(_ filter: EventFilter, _ condition: inout ConditionSQL) -> String {
        switch filter.order {
        case .newestFirst: return byTime("DESC", filter)
        case .oldestFirst: return byTime("ASC", filter)
        case .length(let descending):
            let length = "CASE WHEN \(ConditionSQL.lasting.joined(separator: " AND ")) THEN end_date - timestamp END"
            return "\(length) \(descending ? "DESC" : "ASC") NULLS LAST, timestamp DESC, id DESC"
        case .property(let key, let descending):
            let property = PropertySQL(key, &condition)
            let value =
                "CASE WHEN \(property.kind) IN ('integer', 'real', 'true', 'false', 'text') THEN \(property.value) END"
            return "\(value) COLLATE NOCASE \(descending ? "DESC" : "ASC") NULLS LAST, timestamp DESC, id DESC"
        }
    }

    /// Where the few events that last are looked for, theirs is the best index.
    private static func byTime(_ direction: String, _ filter: EventFilter) -> String {
        "\(filter.lastingAt == nil ? "" : "+")timestamp \(direction), id \(direction)"
    }
}
