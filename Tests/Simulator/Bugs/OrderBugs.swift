import Foundation
import TrendyDomain

extension PlantedBug {
    static let orderBugs = [childGoesBeforeParent, newestGoesFirst, parkedBlocksStrangers]

    /// The outbox is sent in the order of the ids of records, where children may stand before their parents.
    private static let childGoesBeforeParent = PlantedBug(
        name: "child goes before its parent", promise: .order, knownSeed: 1,
        plant: { _ in .store { Backwards($0) } })

    /// Of each record the newest operation is sent first.
    private static let newestGoesFirst = PlantedBug(
        name: "edit overtakes an earlier one", promise: .order, knownSeed: 6,
        plant: { _ in .store { NewestFirst($0) } })

    /// A parked mutation holds back everything.
    private static let parkedBlocksStrangers = PlantedBug(
        name: "parked mutation blocks strangers", promise: .order, knownSeed: 6,
        plant: { _ in .store { BlockedByParked($0) } })
}

private final class Backwards: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let found = try super.fetchMutations(query)
        return query.asksForOutbox ? found.reversed() : found
    }
}

private final class NewestFirst: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let found = try super.fetchMutations(query)
        guard query.asksForOutbox else { return found }
        var seen: Set<String> = []
        return found.reversed().filter { seen.insert($0.entityId).inserted }.reversed()
    }
}

private final class BlockedByParked: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        if query.asksForOutbox, try base.countMutations(MutationQuery(states: [.parked])) > 0 { return [] }
        return try super.fetchMutations(query)
    }
}
