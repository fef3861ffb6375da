import GRDB
import TrendyDomain

extension LocalStore {
    @discardableResult
    func insertMutation(_ mutation: PendingMutation) throws -> PendingMutation {
        var inserted = mutation
        inserted.id = try write { try Self.insert([mutation], $0) }
        return inserted
    }

    func insertMutations(_ mutations: [PendingMutation]) throws {
        _ = try write { try Self.insert(mutations, $0) }
    }

    /// - Returns: The last id that was given.
    private static func insert(_ mutations: [PendingMutation], _ database: Database) throws -> Int64 {
        let insert = try RowStatement(insertMutation, database)
        let putPayload = try RowStatement(putPayload, database)
        var id: Int64 = 0
        for mutation in mutations {
            try insert.run(MutationRow.values(mutation))
            id = database.lastInsertedRowID
            if let payload = mutation.payload { try putPayload.run([id.databaseValue, payload.databaseValue]) }
        }
        return id
    }

    func updateMutation(_ mutation: PendingMutation) throws {
        let values = try MutationRow.values(mutation)
        try write { database in
            try database.run(Self.updateProgress, values + [mutation.id.databaseValue])
            if database.changesCount == 0 {
                try database.run(Self.updateMutation, values + [mutation.id.databaseValue])
                if database.changesCount == 0 { return }
            }
            guard let payload = mutation.payload else {
                return try database.run("DELETE FROM sync_payload WHERE id = ?", [mutation.id.databaseValue])
            }
            try database.run(Self.putPayload, [mutation.id.databaseValue, payload.databaseValue])
        }
    }

    private static let putPayload = "INSERT OR REPLACE INTO sync_payload (id, body) VALUES (?, ?)"

    func markSending(_ ids: [Int64]) throws {
        try write { try $0.run(Self.markSending, [Self.jsonList(ids)]) }
    }

    func updateMutations(_ mutations: [PendingMutation]) throws {
        for mutation in mutations { try updateMutation(mutation) }
    }

    func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws {
        let (moment, list) = (moment.milliseconds.databaseValue, Self.jsonList(ids))
        try write { database in
            try database.run(Self.acceptMutations, [moment, list])
            try database.run("DELETE FROM sync_payload WHERE id IN (SELECT value FROM json_each(?))", [list])
            try database.run(Self.forgetAccepted, [moment])
        }
        noteFreedPages()
    }

    func deleteMutation(id: Int64) throws {
        try write { try $0.run("DELETE FROM sync_mutation WHERE id = ?", [id.databaseValue]) }
    }

    func findMutation(id: Int64) throws -> PendingMutation? {
        try read { database in
            let statement = try database.prepared(Self.findMutation, [id.databaseValue])
            var details: [String: MutationState] = [:]
            return try statement.first { try MutationRow.mutation(statement, &details) }
        }
    }

    func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        guard let select = MutationSQL.fetch(query) else { return [] }
        return try read { try Self.mutations($0.prepared(select.sql, select.arguments)) }
    }

    private static func mutations(_ statement: Statement) throws -> [PendingMutation] {
        var mutations: [PendingMutation] = []
        // Many are often parked for one and the same reason, as after the queue was cleared.
        var details: [String: MutationState] = [:]
        try statement.forEach { mutations.append(try MutationRow.mutation(statement, &details)) }
        return mutations
    }

    private static func jsonList(_ ids: [Int64]) -> DatabaseValue {
        ("[" + ids.map(String.init).joined(separator: ",") + "]").databaseValue
    }

    func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        let arguments = [entityType.rawValue.databaseValue, try Self.jsonList(ids)]
        return try read { try Self.mutations($0.prepared(MutationSQL.open, arguments)) }
    }

    func openKeys(_ entityType: EntityType, ids: [String]) throws -> [String: [String]] {
        if try fetchMutations(MutationQuery(states: [.queued, .sending, .parked], limit: 1)).isEmpty { return [:] }
        let arguments = [entityType.rawValue.databaseValue, try Self.jsonList(ids)]
        return try read { database in
            let statement = try database.prepared(MutationSQL.openKeys, arguments)
            var keys: [String: [String]] = [:]
            try statement.forEach {
                guard let id = StoredId.text(statement.column(0)), let key = StoredId.text(statement.column(1)) else {
                    return
                }
                keys[id, default: []].append(key)
            }
            return keys
        }
    }

    func countMutations(_ query: MutationQuery) throws -> Int {
        guard let select = MutationSQL.count(query) else { return 0 }
        return try read { try Int.fetchOne($0.prepared(select.sql, select.arguments)) ?? 0 }
    }

    private static let insertMutation: String = {
        let marks = MutationRow.columns.map { _ in "?" }.joined(separator: ", ")
        return "INSERT OR FAIL INTO sync_mutation (\(MutationRow.columns.joined(separator: ", "))) VALUES (\(marks))"
    }()

    private static let updateMutation: String = {
        let assignments = MutationRow.columns.map { "\($0) = ?" }.joined(separator: ", ")
        return "UPDATE OR FAIL sync_mutation SET \(assignments) WHERE id = ?"
    }()

    /// Updates a mutation that is still one of the same record, leaving the index of records alone. It takes
    /// the arguments of ``updateMutation``.
    private static let updateProgress: String = {
        let numbered = MutationRow.columns.enumerated().map { (name: $1, mark: "?\($0 + 1)") }
        let kept: Set = ["entity_type", "entity_id"]
        let assignments = numbered.filter { !kept.contains($0.name) }.map { "\($0.name) = \($0.mark)" }
        let conditions = numbered.filter { kept.contains($0.name) }.map { "\($0.name) = \($0.mark)" }
        return "UPDATE OR FAIL sync_mutation SET \(assignments.joined(separator: ", ")) "
            + "WHERE id = ?\(numbered.count + 1) AND \(conditions.joined(separator: " AND "))"
    }()

    private static let markSending = """
        UPDATE OR FAIL sync_mutation SET state = 'sending', state_detail = NULL
        WHERE id IN (SELECT value FROM json_each(?))
        """

    private static let acceptMutations = """
        UPDATE OR FAIL sync_mutation SET state = 'accepted', state_detail = NULL, last_error = NULL, settled_at = ?
        WHERE id IN (SELECT value FROM json_each(?))
        """

    /// Deletes the oldest accepted mutations above ``MutationQuery/keptAccepted``. Those that were accepted at the
    /// moment given stay, whatever their number: someone may wait for them.
    private static let forgetAccepted = """
        DELETE FROM sync_mutation WHERE id IN (
            SELECT id FROM sync_mutation INDEXED BY sync_mutation_state WHERE state = 'accepted' AND settled_at < ?
            ORDER BY id LIMIT max(0, (\(StoreCounts.mutations(in: [.accepted]))) - \(MutationQuery.keptAccepted)))
        """

    private static let findMutation =
        "SELECT \(MutationRow.selection) FROM sync_mutation WHERE id = ?"
}
