import Foundation
import GRDB
import TrendyDomain

/// The records of one user within one transaction on a SQLite database.
final class SQLiteRecords: RecordTransaction {
    let database: Database
    private let userId: String
    /// The number of the user's account; nil while it has no history.
    private(set) var account: Int64?
    /// The numbers of rows by what stands in them; nil for names that are not used.
    private(set) var numbers: [RecordKey: Int64?] = [:]

    init(_ database: Database, userId: String) throws {
        self.database = database
        self.userId = userId
        account = try database.row("SELECT account FROM history WHERE user_id = ?", [userId])?[0]
    }

    func history() throws -> AccountHistory? {
        try database.row("SELECT epoch, head, horizon FROM history WHERE account = ?", [account])
            .map { AccountHistory(epoch: $0[0], head: $0[1], horizon: $0[2]) }
    }

    func save(_ history: AccountHistory) throws {
        try database.run(
            """
            INSERT INTO history (user_id, epoch, head, horizon) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET epoch = excluded.epoch, head = excluded.head, horizon = excluded.horizon
            """, [userId, history.epoch, history.head, history.horizon])
        if account == nil { account = database.lastInsertedRowID }
    }

    // MARK: Finding

    static let columns = "entity_type, id, revision, created_revision, created_at, updated_at, document"

    func records(_ keys: Set<RecordKey>) throws -> [RecordKey: Standing] {
        var found: [RecordKey: Standing] = [:]
        for key in keys { numbers[key] = .some(nil) }
        try database.rows(
            about: keys.map { StoredId.value($0.id) },
            { "SELECT \(Self.columns), number, account FROM record WHERE id IN (\($0))" },
            { row in
                let record = Self.record(row)
                guard keys.contains(record.key) else { return }
                numbers[record.key] = .some(row[7])
                found[record.key] = row[8] == account ? .own(record) : .foreign
            })
        return found
    }

    static func record(_ row: Row) -> StoredRecord {
        let createdAt: Int64 = row[4]
        let updatedAt: Int64? = row[5]
        let revision: Int64 = row[2]
        return StoredRecord(
            key: RecordKey(EntityType(rawValue: row[0]), StoredId.text(row[1])), document: row[6],
            createdAt: Timestamp(milliseconds: createdAt), updatedAt: Timestamp(milliseconds: updatedAt ?? createdAt),
            revision: revision, createdRevision: row[3] ?? revision)
    }

    func holders(of keys: Set<UniqueKey>) throws -> [UniqueKey: String] {
        var found: [UniqueKey: String] = [:]
        for (group, keys) in Dictionary(grouping: keys, by: { UniqueKey($0.entityType, $0.sort, "") }) {
            let column = "\(group.sort.rawValue)_key"
            try database.rows(
                about: keys.map(\.text),
                before: [account, group.entityType.rawValue],
                {
                    """
                    SELECT \(column), id FROM record
                    WHERE account = ? AND entity_type = ? AND \(column) IS NOT NULL AND \(column) IN (\($0))
                    """
                },
                { found[UniqueKey(group.entityType, group.sort, $0[0])] = StoredId.text($0[1]) })
        }
        return found
    }

    func children(of parents: Set<RecordKey>) throws -> [RecordKey: [ChildRecord]] {
        try find(parents)
        var names: [Int64: RecordKey] = [:]
        for parent in parents { if let number = numbers[parent] ?? nil { names[number] = parent } }
        var found: [RecordKey: [ChildRecord]] = [:]
        try database.rows(
            about: Array(names.keys),
            {
                """
                SELECT parent, entity_type, id, revision, field FROM record_reference
                CROSS JOIN record ON number = child WHERE parent IN (\($0)) ORDER BY parent, child, field
                """
            },
            { row in
                guard let parent = names[row[0]] else { return }
                found[parent, default: []].append(
                    ChildRecord(
                        key: RecordKey(EntityType(rawValue: row[1]), StoredId.text(row[2])), revision: row[3],
                        field: row[4]))
            })
        return found
    }

    /// Finds out the numbers of those names.
    private func find(_ keys: some Collection<RecordKey>) throws {
        let unknown = keys.filter { numbers[$0] == nil }
        if !unknown.isEmpty { _ = try records(Set(unknown)) }
    }

    // MARK: Writing

    func save(_ writes: [RecordWrite]) throws {
        try find(writes.map(\.record.key))
        var last: Int64 = try database.row("SELECT max(number) FROM record", [])?[0] ?? 0
        var values: Database.Values = []
        values.reserveCapacity(writes.count * 13)
        for write in writes where (numbers[write.record.key] ?? nil) == nil {
            last += 1
            numbers[write.record.key] = .some(last)
        }
        for write in writes {
            let (record, index) = (write.record, write.index)
            values += [
                numbers[record.key] ?? nil, account, record.key.entityType.rawValue, StoredId.value(record.key.id),
                record.revision, record.createdRevision == record.revision ? nil : record.createdRevision,
                record.createdAt.milliseconds,
                record.updatedAt == record.createdAt ? nil : record.updatedAt.milliseconds,
                index.order, index.isActive, index.naturalKey, index.upsertKey, record.document?.text,
            ]
        }
        try database.insert(
            """
            INSERT INTO record (number, account, entity_type, id, revision, created_revision, created_at, updated_at,
                sort_order, is_active, natural_key, upsert_key, document) VALUES
            """, columns: 13, values,
            """
             ON CONFLICT (number) DO UPDATE SET revision = excluded.revision,
                created_revision = excluded.created_revision, created_at = excluded.created_at,
                updated_at = excluded.updated_at, sort_order = excluded.sort_order, is_active = excluded.is_active,
                natural_key = excluded.natural_key, upsert_key = excluded.upsert_key, document = excluded.document
            """)
        try saveReferences(writes)
    }

    private func saveReferences(_ writes: [RecordWrite]) throws {
        let changed = writes.filter { $0.former != $0.index.references }
        try find(changed.flatMap { ($0.former + $0.index.references).map(\.parent) })
        var values: Database.Values = []
        for write in changed {
            let child = numbers[write.record.key] ?? nil
            for reference in write.former {
                try database.run(
                    "DELETE FROM record_reference WHERE parent = ? AND field = ? AND child = ?",
                    [numbers[reference.parent] ?? nil, reference.field, child])
            }
            for reference in write.index.references {
                guard let parent = numbers[reference.parent] ?? nil else { continue }
                values += [parent, reference.field, child]
            }
        }
        try database.insert("INSERT INTO record_reference (parent, field, child) VALUES ", columns: 3, values)
    }

    func deleteTombstones() throws {
        try database.run("DELETE FROM record WHERE account = ? AND document IS NULL", [account])
        numbers = [:]
    }
}

extension Data {
    /// JSON is kept as TEXT, so that the database can be looked at with any tool.
    var text: String { String(decoding: self, as: UTF8.self) }
}
