import Foundation
import TrendyDomain

/// What came from the server and cannot be applied: it waits aside as it came, within bounds.
///
/// It is looked up once and then kept in step, so it serves one phase of a cycle. A full one stops what feeds it before
/// anything is lost: the save that would have to leave something out does not come about.
final class Quarantine {
    private let cycle: SyncCycle
    private var held: [String: QuarantinedChange] = [:]
    private var isLoaded = false
    private var ids: [RecordKey: Set<String>] = [:]
    /// How many bytes the data of all of them has; nil where nothing was put aside yet.
    private var size: Int?

    init(cycle: SyncCycle) {
        self.cycle = cycle
    }

    /// Puts an entry of the feed aside, in the place of what a listing has shown of the same record.
    func put(_ entry: ChangeEntry, reason: String, in store: any DataStoreProtocol) throws {
        try load(from: store)
        if !entry.entityId.isEmpty {
            for id in ids[RecordKey(entry)] ?? [] {
                guard let listed = held[id], listed.isListed(as: entry.entityType) else { continue }
                try remove(listed, in: store)
            }
        }
        try put(entry, id: QuarantinedChange.id(of: entry), reason: reason, in: store)
    }

    /// Whether the entry at this place of the feed waits aside: read again, it may be right.
    func holds(_ entry: ChangeEntry, in store: any DataStoreProtocol) throws -> Bool {
        try load(from: store)
        return !held.isEmpty && held[QuarantinedChange.id(of: entry)] != nil
    }

    /// Takes out an entry that has been read again and is worthless by now.
    func drop(_ entry: ChangeEntry, in store: any DataStoreProtocol) throws {
        if let change = held[QuarantinedChange.id(of: entry)] { try remove(change, in: store) }
    }

    /// Puts aside what stands in a page without a place that could be used.
    ///
    /// What was put aside of the same stretch before, and is not there any more, was read as it should be now.
    ///
    /// - Parameter cursor: The place after which the page begins.
    func replaceUnplaced(of page: ChangeFeedResponse, since cursor: Int64, in store: any DataStoreProtocol) throws {
        try load(from: store)
        let reason = "it does not say where in the feed it belongs"
        var found: [UnplacedId: ChangeEntry] = [:]
        var place = cursor
        for entry in page.changes {
            place = max(place, entry.id)
            if entry.hasPlace { continue }
            found[UnplacedId(after: place, digest: try Self.digest(entry.data ?? .null))] = entry
        }
        for change in Array(held.values) {
            guard let id = UnplacedId(change.id), found[id] == nil else { continue }
            if id.after >= cursor || found.keys.contains(where: { $0.digest == id.digest }) {
                try remove(change, in: store)
            }
        }
        for (id, entry) in found.sorted(by: { $0.key.description < $1.key.description }) {
            try put(entry, id: id.description, reason: reason, in: store)
        }
    }

    /// Puts a listed element aside that is no record of the kind that was listed.
    func put(
        listed element: JSONValue, of entityType: EntityType, reason: String, in store: any DataStoreProtocol
    ) throws {
        let id = element.objectValue?["id"]?.stringValue ?? ""
        let entry = ChangeEntry(id: 0, entityType: entityType, operation: .update, entityId: id, data: element)
        // Elements without a name of their own must not take each other's place.
        let name = id.allSatisfy(\.isWhitespace) ? "-\(try Self.digest(element))" : id
        try put(entry, id: "list-\(entityType)-\(name)", reason: reason, in: store)
    }

    /// What waits aside, in the order of the feed.
    func all(in store: any DataStoreProtocol) throws -> [QuarantinedChange] {
        try load(from: store)
        return held.values.sorted { ($0.entry.id, $0.id) < ($1.entry.id, $1.id) }
    }

    func remove(_ change: QuarantinedChange, in store: any DataStoreProtocol) throws {
        try store.deleteDocument(QuarantinedChange.self, id: change.id)
        try forget(change)
    }

    /// An entry that was applied makes earlier ones of the same record, which wait aside, worthless; and itself, where
    /// it waited aside as it was read before.
    func dropOutdated(by entry: ChangeEntry, in store: any DataStoreProtocol) throws {
        try load(from: store)
        try drop(entry, in: store)
        for id in ids[RecordKey(entry)] ?? [] {
            guard let change = held[id], change.entry.id <= entry.id else { continue }
            try remove(change, in: store)
        }
    }

    /// The ids of listed elements that wait aside.
    func listedIds(of entityType: EntityType, in store: any DataStoreProtocol) throws -> [String] {
        try all(in: store).filter { $0.isListed(as: entityType) }.map(\.entry.entityId).filter { !$0.isEmpty }
    }

    /// Takes out the listed elements of a kind, before it is listed once more.
    func dropListed(of entityType: EntityType, in store: any DataStoreProtocol) throws {
        for change in try all(in: store) where change.isListed(as: entityType) { try remove(change, in: store) }
    }

    // MARK: Bounds

    private func put(_ entry: ChangeEntry, id: String, reason: String, in store: any DataStoreProtocol) throws {
        let change = QuarantinedChange(id: id, entry: entry, reason: reason, receivedAt: cycle.wallClock.now())
        try load(from: store)
        if let earlier = held[id] {
            if earlier.entry == entry, earlier.reason == reason { return }
            try forget(earlier)
        }
        let total = try (size ?? held.values.reduce(0) { try $0 + Self.size(of: $1) }) + Self.size(of: change)
        let limits = cycle.configuration
        guard held.count < limits.quarantineLimit, total <= limits.quarantineByteLimit else {
            throw CycleStop.quarantineFull(held: held.count)
        }
        try store.putDocument(change)
        insert(change)
        size = total
    }

    private func load(from store: any DataStoreProtocol) throws {
        if isLoaded { return }
        for change in try store.fetchDocuments(QuarantinedChange.self) { insert(change) }
        isLoaded = true
    }

    private func insert(_ change: QuarantinedChange) {
        held[change.id] = change
        ids[RecordKey(change.entry), default: []].insert(change.id)
    }

    private func forget(_ change: QuarantinedChange) throws {
        held[change.id] = nil
        ids[RecordKey(change.entry)]?.remove(change.id)
        size = try size.map { try $0 - Self.size(of: change) }
    }

    private static func size(of change: QuarantinedChange) throws -> Int {
        guard let data = change.entry.data else { return 0 }
        return try encoded(data).count
    }

    /// The same for the same element, whichever process asks: FNV-1a.
    private static func digest(_ element: JSONValue) throws -> String {
        let hash = try encoded(element).reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

extension QuarantinedChange {
    /// The id of an entry of the feed that waits aside.
    static func id(of entry: ChangeEntry) -> String { "feed-\(entry.id)" }

    /// Whether it comes from a listing, which has no places, and not from the feed.
    fileprivate func isListed(as entityType: EntityType) -> Bool {
        id.hasPrefix("list-") && entry.entityType == entityType
    }
}

extension DataStoreProtocol {
    /// The ids of all that waits aside.
    func idsPutAside() throws -> Set<String> {
        if try countDocuments(QuarantinedChange.self) == 0 { return [] }
        return Set(try fetchDocuments(QuarantinedChange.self).map(\.id))
    }
}

/// The id of something in the feed that waits aside and has no place of its own: after which place it stood, and what
/// it was.
private struct UnplacedId: Hashable, CustomStringConvertible {
    let after: Int64
    let digest: String

    init(after: Int64, digest: String) {
        self.after = after
        self.digest = digest
    }

    init?(_ id: String) {
        let parts = id.split(separator: "-")
        guard parts.count == 3, parts[0] == "unplaced", let after = Int64(parts[1]) else { return nil }
        self.init(after: after, digest: String(parts[2]))
    }

    var description: String { "unplaced-\(after)-\(digest)" }
}
