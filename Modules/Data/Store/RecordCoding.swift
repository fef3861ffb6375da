import Foundation
import GRDB
import TrendyDomain

/// Turns records into rows and rows into records.
extension RecordTable {
    /// The columns of a record as the device keeps it, in the order of ``insert``.
    func values<Entity: SyncEntity>(_ record: LocalRecord<Entity>) throws(StoreError) -> [DatabaseValue] {
        let unknown: DatabaseValue
        do {
            unknown = record.unknown.isEmpty ? .null : try EncodedJSON(part: record.unknown).text().databaseValue
        } catch {
            throw notStored(record.id, error)
        }
        let beside = [
            record.syncStatus.rawValue.databaseValue, record.revision.databaseValue,
            record.createdRevision.databaseValue, unknown,
        ]
        return try values(record.entity, record.server) + beside
    }

    private func values<Entity: SyncEntity>(
        _ entity: Entity, _ server: ServerFields
    ) throws(StoreError) -> [DatabaseValue] {
        let row = ColumnEncoder.Row(table: self, capacity: fields.count + RecordTable.localColumns.count)
        do {
            try entity.encode(to: ColumnEncoder(row: row))
            for column in row.open {
                row.values[column.place] = try EncodedJSON.open(column.encoder).text().databaseValue
            }
        } catch {
            throw notStored(entity.id, error)
        }
        for place in fields.indices where isId[place] { row.values[place] = StoredId.stored(row.values[place]) }
        row.values.append(server.createdAt?.milliseconds.databaseValue ?? .null)
        row.values.append(server.updatedAt?.milliseconds.databaseValue ?? .null)
        return row.values
    }

    private func notStored(_ id: String, _ error: any Error) -> StoreError {
        .failed("the \(entityType.displayName) \(id) cannot be stored: \(codingReason(error))")
    }

    /// Reads all rows of a query whose columns are those of ``fetchAll``, one after the other.
    func forEachRecord<Entity: SyncEntity>(
        _ type: Entity.Type, _ statement: Statement, _ body: (LocalRecord<Entity>) throws -> Void
    ) throws {
        let reader = ColumnDecoder.Row(table: self, statement: statement)
        try statement.forEach { try body(local(reader)) }
    }

    /// Reads the first row of a query whose columns are those of ``find``.
    func firstRecord<Entity: SyncEntity>(_ type: Entity.Type, _ statement: Statement) throws -> LocalRecord<Entity>? {
        try statement.first { try local(ColumnDecoder.Row(table: self, statement: statement)) }
    }

    private func local<Entity: SyncEntity>(_ row: ColumnDecoder.Row) throws(StoreError) -> LocalRecord<Entity> {
        let remote: Remote<Entity> = try remote(row)
        guard case .string(let name) = row.value(at: fields.count + 2).storage,
            let status = SyncStatus(rawValue: name)
        else {
            throw unreadable(row, "its sync status is unknown")
        }
        return LocalRecord(
            remote.entity, server: remote.server, syncStatus: status,
            revision: row.value(at: fields.count + 3).revision,
            createdRevision: row.value(at: fields.count + 4).revision, unknown: try unknown(row))
    }

    private func unknown(_ row: ColumnDecoder.Row) throws(StoreError) -> [String: JSONValue] {
        guard let text = row.value(at: fields.count + 5).text else { return [:] }
        do {
            return try WireCoding.decode([String: JSONValue].self, from: Data(text.utf8))
        } catch {
            throw unreadable(row, "the fields that this version does not know: \(codingReason(error))")
        }
    }

    private func remote<Entity: SyncEntity>(_ row: ColumnDecoder.Row) throws(StoreError) -> Remote<Entity> {
        row.rewind()
        do {
            let entity = try Entity(from: ColumnDecoder(row: row))
            let server = ServerFields(
                createdAt: row.value(at: fields.count).moment, updatedAt: row.value(at: fields.count + 1).moment)
            return Remote(entity, server: server)
        } catch {
            throw unreadable(row, codingReason(error))
        }
    }

    private func unreadable(_ row: ColumnDecoder.Row, _ reason: String) -> StoreError {
        let id = places["id"].flatMap { row.value(at: $0).text } ?? "?"
        return .unreadableRecord(entityType: entityType, id: id, reason: reason)
    }
}

extension DatabaseValue {
    /// The text of the column, nil where there is none.
    var text: String? {
        String.fromDatabaseValue(self)
    }

    /// The moment that the column holds in milliseconds.
    var moment: Timestamp? {
        Int64.fromDatabaseValue(self).map(Timestamp.init(milliseconds:))
    }
}
