import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

extension PlantedBug {
    static let signedOutBugs = [signedOutCountsAttempt, signedOutParks]

    /// A token that is not accepted counts as an attempt of the mutation that was sent with it.
    private static let signedOutCountsAttempt = PlantedBug(
        name: "signed out counts as an attempt", promise: .signedOut, knownSeed: 9,
        plant: { _ in .store { CountsAttempts($0) } })

    /// A token that is not accepted parks the mutation that was sent with it.
    private static let signedOutParks = PlantedBug(
        name: "signed out parks", promise: .signedOut, knownSeed: 82, gateway: .rest,
        plant: { _ in
            .answers { response, request in
                guard response.status == 401, request.isWrite else { return response }
                return .problem(ServerProblem(.badRequest, "nobody is signed in"))
            }
        })
}

/// Counts an attempt of what was under way, as soon as a sync gives the lease back.
private final class CountsAttempts: ForwardingStore {
    override func putDocument<Document: StoredDocument>(_ document: Document) throws {
        if let entry = document as? SyncHistoryEntry, entry.failure == .signedOut {
            for var mutation in try base.fetchMutations(MutationQuery(states: [.sending])) {
                mutation.attempts += 1
                try base.updateMutation(mutation)
            }
        }
        try super.putDocument(document)
    }
}
