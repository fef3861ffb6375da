import TrendyDomain
import TrendySync

/// A device's store at one moment, as far as several checkers look at it.
struct DeviceView {
    let store: any DataStoreProtocol
    /// Everything that is queued, sending or parked.
    let open: [PendingMutation]
    let cursor: Int64?
    let isBootstrapping: Bool

    /// Whether a record belongs to one that something open is about: one whose deletion is parked here, say, took
    /// it along.
    func hasOpenParent(of fields: [String: JSONValue]?) -> Bool {
        let names = Set(fields?.values.compactMap(\.stringValue) ?? [])
        return open.contains { names.contains($0.entityId) }
    }

    init(_ device: SimulatedDevice) throws {
        store = try device.reader()
        open = try store.fetchMutations(MutationQuery(states: [.queued, .sending, .parked]))
        cursor = try store.metadata(MetadataKey.cursor).flatMap { Int64($0) }
        isBootstrapping = try store.metadata(MetadataKey.bootstrap) != nil
    }
}
