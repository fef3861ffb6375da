import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let bootstrapBugs = [storeIsEmptiedFirst, shownIsNotMarked, resyncEndsEarly]

    /// What is here goes before anything has been shown.
    private static let storeIsEmptiedFirst = PlantedBug(
        name: "store is emptied before a resync", promise: .bootstrap, knownSeed: 1,
        plant: { _ in .store { EmptiesFirst($0) } })

    /// What a resync shows is not marked, and counts as gone at its end.
    private static let shownIsNotMarked = PlantedBug(
        name: "what a resync shows is not marked", promise: .bootstrap, knownSeed: 1,
        plant: { _ in .store { WithoutShown($0) } })

    /// A resync ends with its first page.
    private static let resyncEndsEarly = PlantedBug(
        name: "resync ends with its first page", promise: .bootstrap, knownSeed: 4,
        plant: { _ in
            .answers { response, request in
                guard request.isExchange, request.members?["cursor"] == nil else { return response }
                return response.changingExchange { $0.more = false }
            }
        })
}

private final class EmptiesFirst: ForwardingStore {
    override func clearMarks() throws {
        try super.clearMarks()
        for type in EntitySchema.trendy.types { try empty(type) }
    }

    private func empty<Entity: SyncEntity>(_ type: Entity.Type) throws {
        let synced = try base.fetch(type, where: nil).filter { $0.syncStatus == .synced }
        try base.delete(Entity.entityType, ids: synced.map(\.id))
    }
}

private final class WithoutShown: ForwardingStore {
    override func mark(_ entityType: EntityType, ids: [String]) throws {}
}
