import Foundation
import TrendyData
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let bootstrapBugs = [storeIsEmptiedFirst, cursorIsReadAfterListing, kindsAreSavedApart, pagesDoNotOverlap]

    /// What is here goes before anything has been listed.
    private static let storeIsEmptiedFirst = PlantedBug(
        name: "store is emptied before the listing", promise: .bootstrap, knownSeed: 3,
        plant: { _ in .store { EmptiesFirst($0) } })

    /// The feed is read from where it is after the listings, so that what changed during them is missed.
    private static let cursorIsReadAfterListing = PlantedBug(
        name: "cursor is read after the listing", promise: .cursor, knownSeed: 3,
        plant: { _ in
            let latest = Memory<Int64?>(nil)
            return Tampering(
                store: Tampering.store { LateCursor($0, latest) }.store,
                transport: ChangedTransport { request, network in
                    let response = try await network(request)
                    guard request.isListing, response.status == 200 else { return response }
                    var question = request
                    question.url = request.url.replacingPath(with: "/api/v1/changes/latest-cursor")
                    let answer = try await network(question)
                    let body = try? WireCoding.decode([String: Int64].self, from: answer.body)
                    if answer.status == 200, let cursor = body?["cursor"] { latest.use { $0 = cursor } }
                    return response
                })
        })

    /// Each kind is replaced in a save of its own, between which a process can die.
    private static let kindsAreSavedApart = PlantedBug(
        name: "kinds are replaced in separate saves", promise: .bootstrap, knownSeed: 198, needs: [.processDiesAtSave],
        plant: { _ in .store { KindByKind($0) } })

    /// Pages of a listing are put together without a look at whether rows have moved up between them.
    private static let pagesDoNotOverlap = PlantedBug(
        name: "pages of a listing do not overlap", promise: .bootstrap, knownSeed: 1133,
        plant: { _ in
            let last = Memory<JSONValue?>(nil)
            return .sending { request, network in
                guard request.isListing, let known = request.afterOverlap, let row = last.use({ $0 }) else {
                    let response = try await network(request)
                    let rows = try? WireCoding.decode([JSONValue].self, from: response.body)
                    if request.isListing { last.use { $0 = rows?.last } }
                    return response
                }
                var response = try await network(known)
                guard response.status == 200, let rows = try? WireCoding.decode([JSONValue].self, from: response.body)
                else { return response }
                last.use { $0 = rows.last ?? row }
                response.body = try WireCoding.encode([row] + rows)
                return response
            }
        })
}

extension TransportRequest {
    /// The request for a page without the row that it has in common with the one before; nil for a first page.
    fileprivate var afterOverlap: TransportRequest? {
        guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: false), var items = parts.queryItems,
            let offset = items.firstIndex(where: { $0.name == "offset" }),
            let limit = items.firstIndex(where: { $0.name == "limit" }),
            let start = items[offset].value.flatMap(Int.init),
            let count = items[limit].value.flatMap(Int.init), start > 0, count > 1
        else { return nil }
        items[offset].value = String(start + 1)
        items[limit].value = String(count - 1)
        parts.queryItems = items
        var request = self
        request.url = parts.url ?? url
        return request
    }
}

extension URL {
    fileprivate func replacingPath(with path: String) -> URL {
        var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        components?.path = path
        components?.query = nil
        return components?.url ?? self
    }
}

private final class EmptiesFirst: ForwardingStore {
    override func clearStaged<Entity: SyncEntity>(_ type: Entity.Type) throws {
        try super.clearStaged(type)
        for record in try base.fetch(type, where: nil) where record.syncStatus == .synced {
            _ = try base.delete(type, id: record.id)
        }
    }
}

private final class LateCursor: ForwardingStore {
    private let latest: Memory<Int64?>
    private var takesOver = false

    init(_ base: any DataStoreProtocol, _ latest: Memory<Int64?>) {
        self.latest = latest
        super.init(base)
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        if key == MetadataKey.bootstrap { takesOver = value == nil }
        guard takesOver, let cursor = latest.use({ $0 }) else { return try super.setMetadata(key, value) }
        switch key {
        case MetadataKey.cursor: try super.setMetadata(key, String(cursor))
        case MetadataKey.feedWindow: try super.setMetadata(key, #"{"entries":[],"settled":\#(cursor)}"#)
        default: try super.setMetadata(key, value)
        }
    }
}

private final class KindByKind: ForwardingStore {
    override func replaceWithStaged<Entity: SyncEntity>(_ type: Entity.Type, keeping: Set<String>) throws {
        try super.replaceWithStaged(type, keeping: keeping)
        try base.save()
        try base.begin()
    }
}
