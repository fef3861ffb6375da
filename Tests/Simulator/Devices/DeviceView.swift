import Foundation
import TrendyDomain
import TrendySync

/// A device's store at one moment, as far as several checkers look at it.
final class DeviceView {
    let store: any DataStoreProtocol
    /// Everything that is queued, sending or parked.
    let open: [PendingMutation]
    let cursor: Int64?
    let isBootstrapping: Bool
    private let memo: FieldMemo
    private var listed: [SyncConflict]?

    /// What a record shows; nil where there is none.
    func fields<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> [String: JSONValue]? {
        try store.find(type, id: id).map { try memo.fields(of: $0.entity) }
    }

    func fields<Entity: SyncEntity>(of entity: Entity) throws -> [String: JSONValue] { try memo.fields(of: entity) }

    /// The fields that a mutation sends, or that it was made from.
    func fields(of json: Data?) throws -> [String: JSONValue] { try memo.fields(of: json) }

    /// The conflicts that wait for the person.
    func conflicts() throws -> [SyncConflict] {
        if let listed { return listed }
        let found = try store.fetchDocuments(SyncConflict.self)
        listed = found
        return found
    }

    /// Whether a record belongs to one that something open is about: one whose deletion is parked here, say, took
    /// it along.
    func hasOpenParent(of fields: [String: JSONValue]?) -> Bool {
        let names = Set(fields?.values.compactMap(\.stringValue) ?? [])
        return open.contains { names.contains($0.entityId) }
    }

    /// - Parameter isBrief: True where no process works while the view is there: then it reads all in one transaction,
    ///   which spares the locks of each read.
    init(_ device: SimulatedDevice, isBrief: Bool = false) throws {
        memo = device.memo
        store = try device.reader()
        if isBrief { try store.begin() }
        open = try store.fetchMutations(MutationQuery(states: [.queued, .sending, .parked]))
        cursor = try store.metadata(MetadataKey.cursor).flatMap { Int64($0) }
        isBootstrapping = try store.metadata(MetadataKey.bootstrap) != nil
    }
}
