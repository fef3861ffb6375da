import Foundation
import TrendyData
import TrendyDomain

extension PlantedBug {
    static let nothingVanishesBugs = [
        refusedIsDeleted, failureCountsAsSuccess, staleEditLosesField, deletedElsewhereIsDropped, notTakenCountsAsTaken,
        marksStay, correctionWaits, earlyIsParked, freedNameIsMissed,
    ]

    /// What the server refused as a whole, or what did not leave, counts as sent.
    private static let marksStay = PlantedBug(
        name: "a refusal of the whole request leaves marks", promise: .nothingVanishes, knownSeed: 2,
        plant: { _ in .store { KeepsMarks($0) } })

    /// An edit of what was refused joins it, and is not sent.
    private static let correctionWaits = PlantedBug(
        name: "an edit waits with what was refused", promise: .nothingVanishes, knownSeed: 77,
        plant: { _ in .store { KeepsRefused($0) } })

    /// What a server refuses only for its time is parked.
    private static let earlyIsParked = PlantedBug(
        name: "a refusal for the time parks", promise: .nothingVanishes, knownSeed: 5, gateway: .rest,
        needs: [.clockJumps],
        plant: { _ in
            .answers { response, _ in
                response.changing { problem in
                    guard problem["type"] == "urn:trendy:error:future_timestamp" else { return }
                    (problem["type"], problem["errors"]) = ("urn:trendy:error:validation", nil)
                    problem["errors"] = [["field": "timestamp", "message": "is ahead", "code": "invalid"]]
                }
            }
        })

    /// A change that was refused for its name waits on when nobody has the name any more.
    private static let freedNameIsMissed = PlantedBug(
        name: "a freed name is missed", promise: .nothingVanishes, knownSeed: 309,
        plant: { _ in .store { HidesRefusedNames($0) } })

    /// What the server refuses is taken out of the ledger.
    private static let refusedIsDeleted = PlantedBug(
        name: "refused mutation is deleted", promise: .nothingVanishes, knownSeed: 59,
        plant: { _ in .store { DeletesRefused($0) } })

    /// A server that fails on mutations counts as one that took them.
    private static let failureCountsAsSuccess = PlantedBug(
        name: "failure of the server counts as success", promise: .nothingVanishes, knownSeed: 3,
        plant: { _ in
            .answers { response, request in
                guard response.status >= 500, let members = request.members, let epoch = members["epoch"]?.stringValue,
                    let cursor = members["cursor"]?.stringValue, !request.mutations.isEmpty
                else { return response }
                let results = request.mutations.compactMap { mutation in
                    mutation["key"]?.stringValue.map { SyncResult(key: $0, outcome: .accepted, revision: 1) }
                }
                let answer = SyncResponse(epoch: epoch, head: 0, results: results, cursor: cursor)
                return (try? .json(200, WireCoding.encode(answer))) ?? response
            }
        })

    /// An edit that is to be sent again from a newer version loses one of its fields.
    private static let staleEditLosesField = PlantedBug(
        name: "stale edit loses a field", promise: .nothingVanishes, knownSeed: 103,
        plant: { _ in .store { LosesField($0) } })

    /// An edit of a record that was deleted elsewhere is dropped, and nobody is asked.
    private static let deletedElsewhereIsDropped = PlantedBug(
        name: "edit of a deleted record is dropped", promise: .nothingVanishes, knownSeed: 41,
        plant: { _ in .store { DropsParked($0) } })

    /// What a batch of the first API says nothing of counts as taken.
    private static let notTakenCountsAsTaken = PlantedBug(
        name: "batch counts as taken as a whole", promise: .nothingVanishes, knownSeed: 2, gateway: .rest,
        plant: { _ in
            .answers { response, request in
                guard request.url.path.hasSuffix("/batch"), [201, 207, 400].contains(response.status),
                    let sent = request.members
                else { return response }
                var taken = response.changing { fields in
                    fields["created"] = sent["events"]
                    fields["errors"] = nil
                }
                taken.status = 201
                return taken
            }
        })
}

private final class KeepsMarks: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.filter { mutation in
                guard mutation.state == .queued, var known = try base.findMutation(id: mutation.id),
                    known.state == .sending
                else { return true }
                known.state = .queued
                return known != mutation
            })
    }
}

private final class KeepsRefused: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.map { mutation in
                guard mutation.state == .queued, let known = try base.findMutation(id: mutation.id),
                    case .parked(let reason) = known.state, [.rejected, .blocked].contains(reason.code),
                    mutation.payload != known.payload
                else { return mutation }
                var joined = known
                joined.payload = mutation.payload
                return joined
            })
    }
}

private final class DeletesRefused: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        var left: [PendingMutation] = []
        for mutation in mutations {
            if case .parked(let reason) = mutation.state, reason.code == .rejected {
                try base.deleteMutation(id: mutation.id)
            } else {
                left.append(mutation)
            }
        }
        try super.updateMutations(left)
    }
}

private final class LosesField: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.map { mutation in
                guard mutation.operation == .update, mutation.state == .queued, let payload = mutation.payload,
                    try base.findMutation(id: mutation.id)?.state == .sending
                else { return mutation }
                var fields = try WireCoding.decode(Fields.self, from: payload)
                if let first = fields.keys.sorted().first, fields.count > 1 { fields[first] = nil }
                var changed = mutation
                changed.payload = try WireCoding.encode(fields)
                return changed
            })
    }
}

private final class DropsParked: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.map { mutation in
                var mutation = mutation
                if case .parked(let reason) = mutation.state, reason.code == .deletedElsewhere {
                    mutation.state = .dropped
                }
                return mutation
            })
    }
}

/// Shows what is parked of one kind of record to nobody.
private final class HidesRefusedNames: ForwardingStore {
    override func fetchMutations(_ query: MutationQuery) throws -> [PendingMutation] {
        let isOfOneKind = query.states == [.parked] && query.entityType != nil && query.entityId == nil
        return isOfOneKind ? [] : try super.fetchMutations(query)
    }
}
