import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let replacedCreateBugs = [replacedIsForgotten, doubtIsJudged]

    /// A create on which the server failed and that an edit has replaced counts as one that never left.
    private static let replacedIsForgotten = PlantedBug(
        name: "what an edit has replaced is forgotten", promise: .rebase, knownSeed: 1,
        plant: { _ in .store { ForgetsReplaced($0) } })

    /// A create that may have arrived counts as unsent as soon as the server shows the record.
    private static let doubtIsJudged = PlantedBug(
        name: "a create in doubt is judged", promise: .rebase, knownSeed: 1,
        plant: { _ in .store { JudgesDoubt($0) } })
}

private final class ForgetsReplaced: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        query.states == [.merged] ? [] : try super.fetchMutations(query)
    }
}

private final class JudgesDoubt: ForwardingStore {
    override func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation] {
        let shown = try base.bases(entityType, ids: ids).filter { $0.value.document != nil }
        return try super.openMutations(entityType, ids: ids).map { mutation in
            guard mutation.operation == .create, mutation.state == .sending, shown[mutation.entityId] != nil else {
                return mutation
            }
            var unsent = mutation
            unsent.state = .queued
            return unsent
        }
    }
}
