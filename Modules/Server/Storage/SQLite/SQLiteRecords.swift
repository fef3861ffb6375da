import Foundation
import GRDB
import TrendyDomain

/// The records of one user within one transaction on a SQLite database.
///
/// What is asked for by sets goes through one prepared statement: in one process, a question costs no more alone than
/// with others.
final class SQLiteRecords: RecordTransaction {
    let database: Database
    let userId: String
    /// The number of the user's account; nil while it has no history.
    var account: Int64?
    /// The numbers of the rows of parents.
    private var numbers: [RecordKey: Int64] = [:]

    init(_ database: Database, userId: String) throws {
        self.database = database
        self.userId = userId
        account = try database.row("SELECT account FROM history WHERE user_id = ?", [userId])?[0]
    }

    func history() throws -> AccountHistory? {
        try database.row("SELECT epoch, head, horizon, run FROM history WHERE account = ?", [account])
            .map { AccountHistory(epoch: $0[0], head: $0[1], horizon: $0[2], run: $0[3]) }
    }

    func save(_ history: AccountHistory) throws {
        try database.run(
            """
            INSERT INTO history (user_id, epoch, head, horizon, run) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET epoch = excluded.epoch, head = excluded.head, horizon = excluded.horizon,
                run = excluded.run
            """, [userId, history.epoch, history.head, history.horizon, history.run])
        if account == nil { account = database.lastInsertedRowID }
    }

    /// SQLite's count of changes of the tables, which goes up as well when a backup is copied over the database.
    var databaseStart: String {
        guard let row = try? database.row("PRAGMA schema_version", []) else { return "" }
        return String(row[0] as Int64, radix: 36)
    }

    func lastRevision(of run: String) throws -> Int64? {
        try database.row("SELECT last FROM run WHERE account = ? AND name = ?", [account, run])?[0]
    }

    func save(_ run: EndedRun) throws {
        try database.run(
            "INSERT OR REPLACE INTO run (account, name, last) VALUES (?, ?, ?)", [account, run.name, run.last])
    }

    func deleteRuns() throws { try database.run("DELETE FROM run WHERE account = ?", [account]) }

    func hasAccount() throws -> Bool {
        try database.row("SELECT 1 FROM account WHERE id = ?", [userId]) != nil
    }

    static let columns = "entity_type, id, revision, created_revision, created_at, updated_at, document"

    static func record(_ row: RawStatement) -> StoredRecord {
        let (revision, createdAt) = (row.number(2), row.number(4))
        return StoredRecord(
            key: RecordKey(EntityType(rawValue: row.text(0)), row.id(1)), document: row.json(6),
            createdAt: Timestamp(milliseconds: createdAt),
            updatedAt: Timestamp(milliseconds: row.optionalNumber(5) ?? createdAt), revision: revision,
            createdRevision: row.optionalNumber(3) ?? revision)
    }

    func records(_ keys: Set<RecordKey>) throws -> [RecordKey: Standing] {
        let query = try RawStatement(
            "SELECT \(Self.columns), account FROM record WHERE id = ? AND entity_type = ?", database)
        var found: [RecordKey: Standing] = [:]
        for key in keys {
            query.bind(1, key)
            try query.forEach { found[key] = query.number(7) == account ? .own(Self.record(query)) : .foreign }
        }
        return found
    }

    func holders(of keys: Set<UniqueKey>) throws -> [UniqueKey: [String]] {
        var found: [UniqueKey: [String]] = [:]
        for key in keys {
            let query = try RawStatement(
                """
                SELECT id FROM record WHERE account = ? AND entity_type = ? AND \(key.sort.rawValue)_key = ?
                ORDER BY coalesce(created_revision, revision)
                """, database)
            query.bind(1, account)
            query.bind(2, key.entityType.rawValue)
            query.bind(3, key.text)
            try query.forEach { found[key, default: []].append(query.id(0)) }
        }
        return found
    }

    func children(of parents: Set<RecordKey>) throws -> [RecordKey: [ChildRecord]] {
        let query = try RawStatement(
            """
            SELECT entity_type, id, revision, field FROM record_reference CROSS JOIN record ON number = child
            WHERE parent = ? ORDER BY child, field
            """, database)
        var found: [RecordKey: [ChildRecord]] = [:]
        for parent in parents {
            query.bind(1, try number(of: parent))
            try query.forEach {
                found[parent, default: []].append(
                    ChildRecord(
                        key: RecordKey(EntityType(rawValue: query.text(0)), query.id(1)), revision: query.number(2),
                        field: query.text(3)))
            }
        }
        return found
    }

    private func number(of key: RecordKey) throws -> Int64? {
        if let number = numbers[key] { return number }
        let query = try RawStatement("SELECT number FROM record WHERE id = ? AND entity_type = ?", database)
        query.bind(1, key)
        try query.forEach { numbers[key] = query.number(0) }
        return numbers[key]
    }

    func save(_ writes: [RecordWrite]) throws {
        let insert = try RawStatement(
            """
            INSERT INTO record (id, entity_type, account, revision, created_revision, created_at, updated_at,
                sort_order, is_active, natural_key, upsert_key, document) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id, entity_type) DO UPDATE SET revision = excluded.revision,
                created_revision = excluded.created_revision, created_at = excluded.created_at,
                updated_at = excluded.updated_at, sort_order = excluded.sort_order, is_active = excluded.is_active,
                natural_key = excluded.natural_key, upsert_key = excluded.upsert_key, document = excluded.document
            WHERE account = excluded.account RETURNING number
            """, database)
        var rows: [(write: RecordWrite, number: Int64)] = []
        for write in writes {
            let (record, index) = (write.record, write.index)
            insert.bind(1, record.key)
            insert.bind(3, account)
            insert.bind(4, record.revision)
            insert.bind(5, record.createdRevision == record.revision ? nil : record.createdRevision)
            insert.bind(6, record.createdAt.milliseconds)
            insert.bind(7, record.updatedAt == record.createdAt ? nil : record.updatedAt.milliseconds)
            insert.bind(8, index.order)
            insert.bind(9, index.isActive ? 1 : 0)
            insert.bind(10, index.naturalKey)
            insert.bind(11, index.upsertKey)
            insert.bind(12, json: record.document)
            try insert.forEach {
                if write.former != index.references { rows.append((write, insert.number(0))) }
            }
        }
        // Parents may have come after their children.
        for (write, number) in rows {
            try change(
                "DELETE FROM record_reference WHERE parent = ? AND field = ? AND child = ?", write.former, number)
            try change(
                "INSERT INTO record_reference (parent, field, child) VALUES (?, ?, ?)", write.index.references, number)
        }
    }

    func change(_ sql: String, _ references: [RecordIndex.Reference], _ child: Int64) throws {
        if references.isEmpty { return }
        let statement = try RawStatement(sql, database)
        for reference in references {
            guard let parent = try number(of: reference.parent) else { continue }
            statement.bind(1, parent)
            statement.bind(2, reference.field)
            statement.bind(3, child)
            try statement.run()
        }
    }

    func add(_ growth: [EntityType: RecordUsage]) throws {
        let insert = try RawStatement(
            """
            INSERT INTO usage (account, entity_type, records, bytes) VALUES (?, ?, ?, ?)
            ON CONFLICT (account, entity_type)
                DO UPDATE SET records = records + excluded.records, bytes = bytes + excluded.bytes
            """, database)
        insert.bind(1, account)
        for (type, growth) in growth {
            insert.bind(2, type.rawValue)
            insert.bind(3, growth.records)
            insert.bind(4, growth.bytes)
            try insert.run()
        }
    }

    func outcomes(_ keys: Set<String>) throws -> [String: KeptOutcome] {
        let query = try RawStatement(
            "SELECT digest, outcome, revision, kept_at, errors FROM outcome WHERE account = ? AND key = ?", database)
        var found: [String: KeptOutcome] = [:]
        query.bind(1, account)
        for key in keys {
            query.bind(2, id: key)
            try query.forEach {
                found[key] = KeptOutcome(
                    key: key, digest: query.number(0), outcome: WriteReply.Outcome(rawValue: query.text(1)),
                    revision: query.number(2), at: Timestamp(milliseconds: query.number(3)), errors: query.json(4))
            }
        }
        return found
    }

    func save(_ outcomes: [KeptOutcome]) throws {
        let insert = try RawStatement(
            """
            INSERT OR REPLACE INTO outcome (account, key, digest, outcome, revision, kept_at, errors)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, database)
        insert.bind(1, account)
        for outcome in outcomes {
            insert.bind(2, id: outcome.key)
            insert.bind(3, outcome.digest)
            insert.bind(4, outcome.outcome?.rawValue)
            insert.bind(5, outcome.revision)
            insert.bind(6, outcome.at.milliseconds)
            insert.bind(7, json: outcome.errors)
            try insert.run()
        }
    }

    func deleteOutcomes(before moment: Timestamp) throws {
        try database.run("DELETE FROM outcome WHERE account = ? AND kept_at < ?", [account, moment.milliseconds])
    }
}
