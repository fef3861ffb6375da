import GRDB
import TrendyDomain

/// The name and the SQL of the table that a kind of record has.
///
/// It has a column for each field, under its wire name, what the server says of the record, and where the record
/// stands.
final class RecordTable: Sendable {
    let entityType: EntityType
    /// The columns that hold the record's own fields, in the order of ``SyncEntity/fields``.
    let fields: [String]
    /// The place of each field among the columns.
    let places: [String: Int]
    /// Whether the field at a place is the record's id or refers to a parent.
    let isId: [Bool]

    let find: String
    let findAmong: String
    let fetchAll: String
    let count: String
    /// Puts a record in; see ``StoreCounts`` for why it fails in place of aborting.
    let insert: String
    /// Changes the record with the same id. Takes the arguments of ``insert``.
    let replace: String
    /// Changes only what is beside the fields, where all fields of the record are as given: no index is touched.
    let upsertEqual: String
    /// Changes only what the server says of a record: no index is touched.
    let confirm: String
    let delete: String
    let deleteAmong: String
    let deleteAll: String
    let setSyncStatus: String
    let standings: String
    /// Its argument is the sign of the void revisions: -1 or 0.
    let voidRevisions: String
    let findIds: String

    init(_ type: any SyncEntity.Type) {
        entityType = type.entityType
        fields = type.fields
        places = Dictionary(zip(type.fields, type.fields.indices), uniquingKeysWith: { first, _ in first })
        let ids = Set(type.parents.map(\.field)).union(["id"])
        isId = type.fields.map(ids.contains)

        let table = Self.name(of: type.entityType).quotedForSQL
        let local = type.fields + Self.localColumns
        let localList = local.map(\.quotedForSQL).joined(separator: ", ")

        find = "SELECT \(localList) FROM \(table) WHERE id = ?"
        findAmong = "SELECT \(localList) FROM \(table) WHERE id IN \(StoredId.list())"
        fetchAll = "SELECT \(localList) FROM \(table)"
        count = StoreCounts.records(of: type.entityType)
        insert = "INSERT OR FAIL INTO \(table) (\(localList)) VALUES (\(Self.marks(local.count)))"
        replace = Self.replace(table, local)
        upsertEqual = Self.upsertEqual(table, type.fields)
        confirm = """
            UPDATE OR FAIL \(table) SET sync_status = '\(SyncStatus.synced.rawValue)', revision = ?2,
                created_revision = coalesce(?3, created_revision), created_at = coalesce(?4, created_at),
                updated_at = coalesce(?5, updated_at)
            WHERE id = ?1
            """
        delete = "DELETE FROM \(table) WHERE id = ?"
        deleteAmong = "DELETE FROM \(table) WHERE id IN \(StoredId.list())"
        deleteAll = "DELETE FROM \(table)"
        setSyncStatus = "UPDATE \(table) SET sync_status = ? WHERE id = ?"
        standings =
            "SELECT id, sync_status, revision, created_revision FROM \(table) WHERE id IN \(StoredId.list())"
        voidRevisions =
            """
            UPDATE \(table) SET revision = ?1 * abs(revision), created_revision = 0
            WHERE revision <> ?1 * abs(revision) OR created_revision <> 0
            """
        findIds = "SELECT id FROM \(table)"
    }

    /// What the server says of a record. Whose it is, is not kept: a store has the records of one person.
    static let serverColumns = ["created_at", "updated_at"]
    /// What stands beside the fields of a record.
    static let localColumns = serverColumns + ["sync_status", "revision", "created_revision", "unknown"]

    /// The table that holds the records of a kind.
    static func name(of entityType: EntityType) -> String { entityType.rawValue }

    /// The SQL that fetches the records whose field has the value of the one argument, by id.
    func fetch(where field: String) -> String {
        "\(fetchAll) WHERE \(field.quotedForSQL) = ? ORDER BY id"
    }

    /// The value that a column has where it meets a condition.
    ///
    /// - Throws: `StoreError.failed` for a field that the kind does not have.
    func value(for condition: FieldCondition) throws(StoreError) -> DatabaseValue {
        guard let place = places[condition.field] else {
            throw .failed("\(entityType.displayName) records have no field '\(condition.field)'")
        }
        return isId[place] ? StoredId.value(condition.value) : .text(condition.value)
    }

    /// The SQL that goes on with a query of a whole table behind an id, for a page of it; the arguments are the id,
    /// where there is one, and the limit.
    static func page(of query: String, after id: String?) -> String {
        "\(query)\(id == nil ? "" : " WHERE id > ?") ORDER BY id LIMIT ?"
    }

    /// The SQL that counts the records of a kind that refer to one that is not here.
    static func countDangling(_ entityType: EntityType, _ parent: ParentReference) -> String {
        let (table, field) = (name(of: entityType).quotedForSQL, parent.field.quotedForSQL)
        return "SELECT count(*) FROM \(table) WHERE \(field) IS NOT NULL "
            + "AND \(field) NOT IN (SELECT id FROM \(name(of: parent.entityType).quotedForSQL))"
    }

    /// Takes the arguments of ``insert``, in the same places.
    private static func upsertEqual(_ table: String, _ fields: [String]) -> String {
        let assignments = localColumns.enumerated().map { "\($1) = ?\(fields.count + $0 + 1)" }
        let equal = fields.enumerated().map { "\($1.quotedForSQL) IS ?\($0 + 1)" }
        return "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE \(equal.joined(separator: " AND "))"
    }

    private static func marks(_ count: Int) -> String {
        Array(repeating: "?", count: count).joined(separator: ", ")
    }

    /// Not `INSERT OR REPLACE`: that would delete the row first.
    private static func replace(_ table: String, _ columns: [String]) -> String {
        let numbered = columns.enumerated().map { (name: $1, assignment: "\($1.quotedForSQL) = ?\($0 + 1)") }
        let assignments = numbered.filter { $0.name != "id" }.map(\.assignment).joined(separator: ", ")
        let condition = numbered.filter { $0.name == "id" }.map(\.assignment).joined()
        return "UPDATE OR FAIL \(table) SET \(assignments) WHERE \(condition)"
    }
}

extension String {
    /// The name as an identifier in SQL.
    var quotedForSQL: String {
        "\"" + split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
