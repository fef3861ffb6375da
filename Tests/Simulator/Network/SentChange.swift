import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

/// A change of one record, as a request carries it.
struct SentChange: Sendable {
    /// The mutation's key in an exchange; else that of the request.
    var key: String?
    var entityType: EntityType
    var operation: MutationOperation
    var id: String
    /// The record of a creation, or the changed fields.
    var data: Fields
    /// The revision from which it began; nil where the request names none.
    var base: Int64?
    /// The mutation of its device that it stands for; nil where none was under way.
    var mutation: Int64?
    /// How many things people had done when it left; where it says the same under the same key as one before, when that
    /// one left.
    var actsBefore = 0

    /// The data as JSON, with the members in the order of their names.
    var json: Data { (try? WireCoding.encode(data)) ?? Data() }

    /// What it says, as a short text.
    var content: String { "\(operation) \(entityType) \(id) \(Trace.digest(json))" }

    /// Whether the server fails on it.
    var isCursed: Bool { data["notes"]?.stringValue?.hasPrefix("cursed") == true }

    /// What a request changes, in the order in which it says so.
    static func all(in request: TransportRequest) -> [SentChange] {
        if request.method == .get || request.url.path.contains("/auth/") { return [] }
        if request.url.path.hasSuffix("/sync") { return ofExchange(request.body ?? Data()) }
        guard case .write(let write)? = try? ServerCall(request, SimulatedServer.routes).target else { return [] }
        let key = request.headers["Idempotency-Key"]
        if let id = write.id {
            return [
                SentChange(
                    key: key, entityType: write.entityType, operation: write.operation, id: id,
                    data: write.fields.first ?? [:])
            ]
        }
        return write.fields.map { fields in
            SentChange(
                key: write.kind == .batch ? nil : key, entityType: write.entityType, operation: .create,
                id: fields["id"]?.stringValue ?? "", data: fields)
        }
    }

    private static func ofExchange(_ body: Data) -> [SentChange] {
        guard let request = try? JSONValue(parsing: body),
            case .array(let mutations)? = request.objectValue?["mutations"]
        else { return [] }
        return mutations.compactMap { mutation in
            guard let members = mutation.objectValue, let key = members["key"]?.stringValue,
                let type = members["entity_type"]?.stringValue, let id = members["entity_id"]?.stringValue,
                let operation = members["operation"]?.stringValue.flatMap(MutationOperation.init)
            else { return nil }
            return SentChange(
                key: key, entityType: EntityType(rawValue: type), operation: operation, id: id,
                data: members["data"]?.objectValue ?? [:], base: members["base"]?.integer)
        }
    }
}

extension JSONValue {
    var integer: Int64? { if case .integer(let whole) = self { whole } else { nil } }
}
