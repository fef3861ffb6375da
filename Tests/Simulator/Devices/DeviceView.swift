import Foundation
import TrendyDomain
import TrendySync

/// How far a device is with its server, as it remembers it.
struct DevicePlace: Decodable {
    var epoch: String?
    var cursor: String?
    var head: Int64 = 0
    /// Why everything is taken anew; nil where it is not.
    var resync: String?
    /// Whether the last sync ended before it was known whether the server answers at all.
    var isInDoubt: Bool?
    /// The newest place of the feed that was read; nil where devices speak the exchange.
    private(set) var feedPlace: Int64?

    private enum CodingKeys: String, CodingKey { case epoch, cursor, head, resync, isInDoubt }

    private struct RESTCursor: Decodable {
        struct Feed: Decodable { var newest: Int64 }
        var feed: Feed
    }

    /// - Parameter text: What the store has under ``MetadataKey/exchange``.
    static func read(_ text: String?, _ gateway: Gateway) throws -> DevicePlace {
        guard let text else { return DevicePlace(resync: "first") }
        var place = try WireCoding.decode(DevicePlace.self, from: Data(text.utf8))
        guard gateway == .rest else { return place }
        place.feedPlace =
            try place.cursor.map {
                try WireCoding.decode(RESTCursor.self, from: Data($0.dropFirst(DevicePlace.restPrefix.count).utf8)).feed
                    .newest
            } ?? 0
        return place
    }

    /// How the text of a cursor of the REST gateway begins; JSON follows.
    static let restPrefix = "rest:"

    /// Up to which place of the server's feed it has read.
    var read: Int64 { feedPlace ?? head }
}

/// What was read of a device's store when somebody looked last.
struct StoreLook {
    var open: [PendingMutation]?
    var place: DevicePlace?
    /// What the place was read from last, and what came of it.
    var placeText: String?
    var formerPlace: DevicePlace?
    var conflicts: [SyncConflict]?
    var aside: [QuarantinedChange]?
}

/// A device's store at one moment, as far as several checkers look at it.
final class DeviceView {
    let store: any DataStoreProtocol
    /// Everything that is queued, sending or parked.
    let open: [PendingMutation]
    let place: DevicePlace
    /// The records of which something was written since somebody looked last; all of those that are here or were
    /// touched, where it cannot be told.
    let touched: [EntityType: Set<String>]
    private let device: SimulatedDevice
    private var byRecord: [String: [PendingMutation]]?

    /// How far it has read the server's feed, by the place in it.
    var cursor: Int64 { place.read }
    var isResyncing: Bool { place.resync != nil }

    /// - Parameter isBrief: True where no process works while the view is there: then it reads all in one transaction,
    ///   which spares the locks of each read.
    init(_ device: SimulatedDevice, _ gateway: Gateway, isBrief: Bool = false) throws {
        self.device = device
        store = try device.reader()
        if isBrief { try store.begin() }
        device.noteTouches()
        touched = device.unseen?.records ?? [:]
        var look = device.look
        if let known = look.open {
            open = known
        } else {
            open = try store.fetchMutations(MutationQuery(states: [.queued, .sending, .parked]))
        }
        if let known = look.place {
            place = known
        } else {
            let text = try store.metadata(MetadataKey.exchange)
            place =
                try look.placeText == text
                ? look.formerPlace ?? DevicePlace.read(text, gateway) : DevicePlace.read(text, gateway)
            (look.placeText, look.formerPlace) = (text, place)
        }
        (look.open, look.place) = (open, place)
        device.look = look
    }

    /// The open mutations by their records, each in the order of the queue.
    var openByRecord: [String: [PendingMutation]] {
        if let byRecord { return byRecord }
        let grouped = Dictionary(grouping: open, by: \.entityId)
        byRecord = grouped
        return grouped
    }

    /// What a record shows; nil where there is none.
    func fields<Entity: SyncEntity>(_ type: Entity.Type, _ id: String) throws -> Fields? {
        try store.find(type, id: id).map { try device.memo.fields(of: $0.entity) }
    }

    func fields<Entity: SyncEntity>(of entity: Entity) throws -> Fields { try device.memo.fields(of: entity) }

    /// What a mutation sends.
    func fields(of json: Data?) throws -> Fields { try device.memo.fields(of: json) }

    /// The conflicts that wait for the person.
    func conflicts() throws -> [SyncConflict] {
        if let listed = device.look.conflicts { return listed }
        let found = try store.fetchDocuments(SyncConflict.self)
        device.look.conflicts = found
        return found
    }

    /// What was put aside.
    func aside() throws -> [QuarantinedChange] {
        if let known = device.look.aside { return known }
        let found = try store.fetchDocuments(QuarantinedChange.self)
        device.look.aside = found
        return found
    }

    /// Whether a record belongs to one that something open is about: one whose deletion is parked here, say, took
    /// it along.
    func hasOpenParent(of fields: Fields?) -> Bool {
        let names = Set(fields?.values.compactMap(\.stringValue) ?? [])
        return open.contains { names.contains($0.entityId) }
    }
}

extension DataStoreProtocol {
    /// Whether readers see a record.
    func shows(_ type: EntityType, _ id: String) throws -> Bool { try standings(type, ids: [id])[id] != nil }
}
