import GRDB
import TrendyDomain

/// The SQL of a ``MutationQuery``.
///
/// Each query names the index that it uses: the queue can hold a hundred thousand mutations, and without
/// statistics SQLite may choose to walk all of them.
struct MutationSQL {
    let sql: String
    let arguments: [DatabaseValue]

    /// Selects the matching mutations in the order of their ids; nil where nothing can match.
    static func fetch(_ query: MutationQuery) -> MutationSQL? {
        make(query) { parts, conditions in
            let selects = parts.map { "SELECT \(MutationRow.selection) FROM sync_mutation\($0)" }
            // By most indexes each part comes in the order of ids, so that SQLite merges them and stops at the limit.
            let limit = conditions.bind((query.limit.map { max(0, $0) } ?? -1).databaseValue)
            return selects.joined(separator: " UNION ALL ") + " ORDER BY id LIMIT \(limit)"
        }
    }

    /// Counts the unsent mutations that were tried and failed, by what the last try ended with. What fails on the way to the
    /// server has no attempts.
    static let attempted = """
        SELECT last_error, count(*) FROM sync_mutation INDEXED BY sync_mutation_state
        WHERE state IN ('queued', 'sending') AND last_error IS NOT NULL
        GROUP BY last_error ORDER BY min(id)
        """

    /// Selects the mutations of a kind that are not settled, of the records whose ids are in a JSON array.
    static let open = openOnes(MutationRow.selection)

    /// Selects only the records' ids and the keys of those.
    static let openKeys = openOnes("entity_id, client_request_id")

    private static func openOnes(_ columns: String) -> String {
        """
        SELECT \(columns) FROM sync_mutation INDEXED BY sync_mutation_entity
        WHERE entity_type = ? AND entity_id IN \(StoredId.list()) AND state IN ('queued', 'sending', 'parked')
        ORDER BY id
        """
    }

    /// Counts the matching mutations, whatever the limit; nil where nothing can match.
    static func count(_ query: MutationQuery) -> MutationSQL? {
        if let states = query.states, query == MutationQuery(states: states, limit: query.limit) {
            return MutationSQL(sql: StoreCounts.mutations(in: states), arguments: [])
        }
        return make(query) { parts, _ in
            "SELECT " + parts.map { "(SELECT count(*) FROM sync_mutation\($0))" }.joined(separator: " + ")
        }
    }

    private static func make(
        _ query: MutationQuery, _ build: ([String], inout Conditions) -> String
    ) -> MutationSQL? {
        if query.states?.isEmpty == true || query.operations?.isEmpty == true { return nil }
        var conditions = Conditions()
        conditions.add(query)
        let parts = parts(query, conditions)
        let sql = build(parts, &conditions)
        return MutationSQL(sql: sql, arguments: conditions.arguments)
    }

    /// What follows the table's name, once for each part of the answer.
    private static func parts(_ query: MutationQuery, _ conditions: Conditions) -> [String] {
        let states = (query.states ?? []).sorted { $0.rawValue < $1.rawValue }
        let isIn = "state IN (" + states.map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
        let narrowed = states.isEmpty ? conditions.terms : conditions.terms + [isIn]
        if query.entityId != nil { return [clause(index: "sync_mutation_entity", narrowed)] }
        if query.settledBefore != nil { return [clause(index: "sync_mutation_settled", narrowed)] }
        if states.isEmpty { return [clause(index: nil, conditions.terms)] }
        return states.map { clause(index: stateIndex(query), ["state = '\($0.rawValue)'"] + conditions.terms) }
    }

    private static func stateIndex(_ query: MutationQuery) -> String {
        query.operations == [.delete] ? "sync_mutation_deletion" : "sync_mutation_state"
    }

    private static func clause(index: String?, _ terms: [String]) -> String {
        let hint = index.map { " INDEXED BY \($0)" } ?? ""
        return hint + (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "))
    }

    /// Conditions joined by AND; arguments are numbered, so that several parts share them.
    struct Conditions {
        private(set) var terms: [String] = []
        private(set) var arguments: [DatabaseValue] = []

        mutating func bind(_ value: DatabaseValue) -> String {
            arguments.append(value)
            return "?\(arguments.count)"
        }

        mutating func add(_ query: MutationQuery) {
            if let entityType = query.entityType {
                terms.append("entity_type = \(bind(entityType.rawValue.databaseValue))")
            }
            if let entityId = query.entityId { terms.append("entity_id = \(bind(StoredId.value(entityId)))") }
            if let operations = query.operations {
                let names = operations.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
                // As the condition of a partial index has it.
                terms.append(operations.count == 1 ? "operation = \(names)" : "operation IN (\(names))")
            }
            if let afterId = query.afterId { terms.append("id > \(bind(afterId.databaseValue))") }
            if let moment = query.settledBefore {
                terms.append("settled_at < \(bind(moment.milliseconds.databaseValue))")
            }
        }
    }
}
