import Foundation
import TrendyDomain

extension PlantedBug {
    static let orderBugs = [childGoesBeforeParent, editOvertakesParked, parkedBlocksStrangers]

    /// A record is sent though the creation of its parent still waits.
    private static let childGoesBeforeParent = PlantedBug(
        name: "child goes before its parent", promise: .order, knownSeed: 1,
        plant: { _ in .store { BlindToParents($0) } })

    /// An edit is sent though an earlier one of the same record is parked.
    private static let editOvertakesParked = PlantedBug(
        name: "edit overtakes a parked one", promise: .order, knownSeed: 1,
        plant: { _ in .store { BlindToParked($0) } })

    /// A parked mutation holds back everything of its kind.
    private static let parkedBlocksStrangers = PlantedBug(
        name: "parked mutation blocks strangers", promise: .order, knownSeed: 6,
        plant: { _ in .store { BlockedByParked($0) } })
}

private final class BlindToParents: ForwardingStore {
    override func countMutations(_ query: MutationQuery) throws -> Int {
        query.asksForUnbornParent ? 0 : try super.countMutations(query)
    }
}

private final class BlindToParked: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let found = try super.fetchMutations(query)
        return query.asksForOpenOfRecord ? found.filter { $0.state.name != .parked } : found
    }
}

private final class BlockedByParked: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        if query.asksForWindow {
            let parked = MutationQuery(states: [.parked], entityType: query.entityType)
            if try base.countMutations(parked) > 0 { return [] }
        }
        return try super.fetchMutations(query)
    }
}
