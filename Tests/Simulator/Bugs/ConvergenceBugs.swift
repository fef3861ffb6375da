import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

extension PlantedBug {
    static let convergenceBugs = [
        deletionsAreIgnored, sendingIsNotMarked, childrenStay, resultIsNotTaken, routesChange, namesAreComparedAsSpelt,
    ]

    /// One 404 moves a device to the older routes.
    private static let routesChange = PlantedBug(
        name: "one 404 moves a device to the older routes", promise: .convergence, knownSeed: 1,
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
        name: "the server compares names exactly", promise: .convergence, knownSeed: 1,
        serverKind: RecordKind(TypeOfExactName.self, rules: RecordRules(upsertKey: { $0.name })))

    /// Deletions in an answer are passed over.
    private static let deletionsAreIgnored = PlantedBug(
        name: "deletions are ignored", promise: .convergence, knownSeed: 220,
        plant: { _ in
            .answers { response, request in
                guard request.isExchange else { return response }
                return response.changingExchange { $0.changes.removeAll(where: \.deleted) }
            }
        })

    /// Mutations under way are not marked, so that later edits go into one that has left already.
    private static let sendingIsNotMarked = PlantedBug(
        name: "edit goes into a sending mutation", promise: .convergence, knownSeed: 74,
        plant: { _ in .store { WithoutMarks($0) } })

    /// Records that go with their parent stay where a server of the first API names the parent only.
    private static let childrenStay = PlantedBug(
        name: "children stay without their parent", promise: .convergence, knownSeed: 126, gateway: .rest,
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
