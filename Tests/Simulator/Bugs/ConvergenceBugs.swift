import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

extension PlantedBug {
    static let convergenceBugs = [
        deletionsAreIgnored, sendingIsNotMarked, childrenStay, resultIsNotTaken, routesChange, namesAreComparedAsSpelt,
        takenValueIsSentForEver, silentDeletionsStay,
    ]

    /// One 404 moves a device to the older routes.
    private static let routesChange = PlantedBug(
        name: "one 404 moves a device to the older routes", promise: .convergence, knownSeed: 2,
        needs: [.exchangeIsMissing],
        plant: { _ in
            let isMissing = Memory(false)
            return .sending { request, send in
                guard request.isExchange else { return try await send(request) }
                if isMissing.use({ $0 }) { return .problem(ServerProblem(.notFound, "no exchange")) }
                let response = try await send(request)
                guard response.status == 404 else { return response }
                isMissing.use { $0 = true }
                return .problem(ServerProblem(.epochChanged, "the server has only the older routes now"))
            }
        })

    /// The server takes names for the same only where they are spelt alike.
    private static let namesAreComparedAsSpelt = PlantedBug(
        name: "the server compares names exactly", promise: .convergence, knownSeed: 7,
        serverKind: RecordKind(TypeOfExactName.self, rules: RecordRules(upsertKey: { $0.name })))

    /// Deletions in an answer are passed over.
    private static let deletionsAreIgnored = PlantedBug(
        name: "deletions are ignored", promise: .convergence, knownSeed: 4,
        plant: { _ in
            .answers { response, request in
                guard request.isExchange else { return response }
                return response.changingExchange { $0.changes.removeAll(where: \.deleted) }
            }
        })

    /// Mutations under way are not marked, so that later edits go into one that has left already.
    private static let sendingIsNotMarked = PlantedBug(
        name: "edit goes into a sending mutation", promise: .convergence, knownSeed: 77, other: .rebase,
        plant: { _ in .store { WithoutMarks($0) } })

    /// Records that go with their parent stay where a server of the first API names the parent only.
    private static let childrenStay = PlantedBug(
        name: "children stay without their parent", promise: .convergence, knownSeed: 677, gateway: .rest,
        other: .rebase,
        plant: { _ in .store { BlindToChildren($0) } })

    /// Where the server answers a change with a record, that is not taken.
    private static let resultIsNotTaken = PlantedBug(
        name: "tombstones of children are passed over", promise: .cursor, knownSeed: 1,
        plant: { _ in
            .answers { response, request in
                guard request.isExchange else { return response }
                return response.changingExchange { $0.changes.removeAll { $0.deleted && $0.entityType == .event } }
            }
        })

    /// What the server refuses because another record has the value goes again in each sync.
    private static let takenValueIsSentForEver = PlantedBug(
        name: "a taken value is sent for ever", promise: .convergence, knownSeed: 690, gateway: .rest,
        plant: { _ in .store { NeverParksTaken($0) } })

    /// The daily comparison of the listings finds what was made, and not what was deleted.
    private static let silentDeletionsStay = PlantedBug(
        name: "deletions without an entry stay", promise: .convergence, knownSeed: 79, gateway: .rest,
        plant: { _ in
            let isMarking = Memory(false)
            return .store { BlindToOwnRecords($0, isMarking) }
        })
}

private final class NeverParksTaken: ForwardingStore {
    override func updateMutations(_ mutations: [PendingMutation]) throws {
        try super.updateMutations(
            mutations.map { mutation in
                guard case .parked(let reason) = mutation.state,
                    reason.fields.contains(where: { $0.code == "duplicate" })
                else { return mutation }
                var changed = mutation
                (changed.state, changed.settledAt) = (.queued, nil)
                return changed
            })
    }
}

/// Names no record but to a resync or a comparison, which mark what they are shown.
private final class BlindToOwnRecords: ForwardingStore {
    private let isMarking: Memory<Bool>

    init(_ base: any DataStoreProtocol, _ isMarking: Memory<Bool>) {
        self.isMarking = isMarking
        super.init(base)
    }

    override func mark(_ entityType: EntityType, ids: [String]) throws {
        isMarking.use { $0 = true }
        try super.mark(entityType, ids: ids)
    }

    override func clearMarks() throws {
        isMarking.use { $0 = false }
        try super.clearMarks()
    }

    override func unmarkedIds(_ entityType: EntityType, after id: String?, limit: Int) throws -> [String] {
        isMarking.use { $0 } || limit == 1 ? try super.unmarkedIds(entityType, after: id, limit: limit) : []
    }
}

/// An event type whose name stands for itself alone.
private struct TypeOfExactName: SyncEntity {
    static let entityType = EntityType.eventType
    static let fields = EventType.fields

    var id: String
    var name: String
    var color: String
    var icon: String
}

private final class WithoutMarks: ForwardingStore {
    override func markSending(_ ids: [Int64]) throws {}
}

private final class BlindToChildren: ForwardingStore {
    override func ids(_ entityType: EntityType, where condition: FieldCondition, limit: Int) throws -> [String] {
        condition.field == "event_type_id" ? [] : try super.ids(entityType, where: condition, limit: limit)
    }

    override func baseIds(_ entityType: EntityType, where condition: FieldCondition) throws -> [String] {
        condition.field == "event_type_id" ? [] : try super.baseIds(entityType, where: condition)
    }
}
