import Foundation
import GRDB
import TrendyDomain

/// Turns mutations into rows and rows into mutations.
enum MutationRow {
    static let columns = [
        "client_request_id", "entity_type", "operation", "entity_id", "created_at", "attempts",
        "last_error", "last_attempt_at", "state", "state_detail", "settled_at", "is_adopted",
    ]
    /// What ``mutation(_:_:)`` reads: the id, ``columns`` and the payload.
    static let selection = (["id"] + columns + ["(SELECT body FROM sync_payload WHERE id = sync_mutation.id)"])
        .joined(separator: ", ")

    /// The columns of a mutation without its id and payload, in the order of ``columns``.
    static func values(_ mutation: PendingMutation) throws(StoreError) -> [DatabaseValue] {
        [
            StoredId.value(mutation.clientRequestId),
            mutation.entityType.rawValue.databaseValue,
            mutation.operation.rawValue.databaseValue,
            StoredId.value(mutation.entityId),
            mutation.createdAt.milliseconds.databaseValue,
            mutation.attempts.databaseValue,
            mutation.lastError.map(DatabaseValue.text) ?? .null,
            mutation.lastAttemptAt?.milliseconds.databaseValue ?? .null,
            mutation.state.name.rawValue.databaseValue,
            try stateDetail(mutation),
            mutation.settledAt?.milliseconds.databaseValue ?? .null,
            mutation.isAdopted ? true.databaseValue : .null,
        ]
    }

    /// Reads the row that a statement stands on; its columns are those of ``selection``.
    ///
    /// - Parameter details: The details of states that were read already, by their JSON.
    static func mutation(
        _ statement: Statement, _ details: inout [String: MutationState]
    ) throws(StoreError) -> PendingMutation {
        var row = Columns(statement: statement)
        let id = row.whole() ?? 0
        guard let clientRequestId = row.id(), let entityType = row.text(),
            let operation = row.text().flatMap(MutationOperation.init), let entityId = row.id()
        else { throw unreadable(id) }
        guard let createdAt = row.moment(), let attempts = row.whole().flatMap(Int.init(exactly:)) else {
            throw unreadable(id)
        }
        let (lastError, lastAttemptAt) = (row.text(), row.moment())
        guard let state = state(named: row.text(), detail: row.text(), &details) else { throw unreadable(id) }
        let (settledAt, isAdopted) = (row.moment(), row.whole() == 1)
        return PendingMutation(
            id: id, clientRequestId: clientRequestId, entityType: EntityType(rawValue: entityType),
            operation: operation, entityId: entityId, payload: row.data(), createdAt: createdAt,
            attempts: attempts, lastError: lastError, lastAttemptAt: lastAttemptAt, state: state,
            settledAt: settledAt, isAdopted: isAdopted)
    }

    /// Reads the columns of a row one after the other.
    private struct Columns {
        let statement: SQLiteStatement
        var next: CInt = 0

        init(statement: Statement) {
            self.statement = statement.sqliteStatement
        }

        mutating func value() -> DatabaseValue {
            defer { next += 1 }
            return DatabaseValue(sqliteStatement: statement, index: next)
        }

        mutating func id() -> String? { StoredId.text(value()) }
        mutating func text() -> String? { String.fromDatabaseValue(value()) }
        mutating func data() -> Data? { Data.fromDatabaseValue(value()) }
        mutating func whole() -> Int64? { Int64.fromDatabaseValue(value()) }
        mutating func moment() -> Timestamp? { whole().map(Timestamp.init(milliseconds:)) }
    }

    private static func unreadable(_ id: Int64) -> StoreError {
        .unreadableRecord(
            entityType: "mutation", id: String(id), reason: "a column is empty or has an unknown value")
    }

    /// What a state says beyond its name, as JSON.
    private static func stateDetail(_ mutation: PendingMutation) throws(StoreError) -> DatabaseValue {
        do {
            return switch mutation.state {
            case .queued, .sending, .accepted, .dropped, .merged(into: nil): .null
            case .merged, .parked:
                String(decoding: try WireCoding.encode(mutation.state), as: UTF8.self).databaseValue
            }
        } catch {
            throw .failed("the state of mutation \(mutation.id) cannot be stored: \(codingReason(error))")
        }
    }

    private static func state(
        named name: String?, detail: String?, _ details: inout [String: MutationState]
    ) -> MutationState? {
        if let detail {
            if let known = details[detail] { return known }
            let state = try? WireCoding.decode(MutationState.self, from: Data(detail.utf8))
            details[detail] = state
            return state
        }
        return switch name.flatMap(MutationState.Name.init) {
        case .queued: .queued
        case .sending: .sending
        case .accepted: .accepted
        case .merged: .merged(into: nil)
        case .dropped: .dropped
        case .parked, nil: nil
        }
    }
}
