import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let nothingVanishesBugs = [lostConnectionParks, refusedIsDeleted, failureCountsAsSuccess]

    /// A mutation whose request got no answer is parked as if the server had refused it.
    private static let lostConnectionParks = PlantedBug(
        name: "lost connection parks", promise: .nothingVanishes, knownSeed: 1,
        plant: { _ in .store { ParksOnAttempt($0) } })

    /// What the server refuses is taken out of the ledger.
    private static let refusedIsDeleted = PlantedBug(
        name: "refused mutation is deleted", promise: .nothingVanishes, knownSeed: 2,
        plant: { _ in .store { DeletesRefused($0) } })

    /// A server that fails on a create counts as one that took it.
    private static let failureCountsAsSuccess = PlantedBug(
        name: "failure of the server counts as success", promise: .nothingVanishes, knownSeed: 1,
        plant: { _ in
            .answers { response, request in
                guard request.method == .post, request.isWrite, response.status >= 500, let body = request.body else {
                    return response
                }
                let taken = TransportResponse.json(201, body)
                guard request.url.path.hasSuffix("/batch") else { return taken }
                return taken.changing { fields in
                    fields = ["created": fields["events"] ?? .array([])]
                }
            }
        })
}

private final class ParksOnAttempt: ForwardingStore {
    override func updateMutation(_ mutation: PendingMutation) throws {
        var mutation = mutation
        if mutation.state.isUnsent, let before = try base.findMutation(id: mutation.id),
            mutation.attempts > before.attempts
        {
            mutation.state = .parked(ParkReason(code: .rejected, message: mutation.lastError ?? ""))
            mutation.settledAt = mutation.lastAttemptAt
        }
        try super.updateMutation(mutation)
    }
}

private final class DeletesRefused: ForwardingStore {
    override func updateMutation(_ mutation: PendingMutation) throws {
        if case .parked(let reason) = mutation.state, reason.code == .rejected {
            return try base.deleteMutation(id: mutation.id)
        }
        try super.updateMutation(mutation)
    }
}
