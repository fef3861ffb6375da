import TrendyDomain

extension DataStoreContract {
    static let queryChecks = [
        Check("fetchMutations and countMutations answer what the query describes, in the order of ids") { factory in
            let mutations = try factory.saving { store in
                try mixedMutations().map { try store.insertMutation($0) }
            }
            try factory.reading { store in
                for query in queries(mutations) {
                    let matching = mutations.filter(query.matches)
                    let limited = query.limit.map { Array(matching.prefix($0)) } ?? matching
                    try expectEqual(store.fetchMutations(query).map(\.id), limited.map(\.id), "\(query)")
                    try expectEqual(store.countMutations(query), matching.count, "the count of \(query)")
                }
            }
        },
        Check("a query follows changes of state") { factory in
            let id = try factory.saving { try $0.insertMutation(ContractSamples.mutation("a")).id }
            for state in [MutationState.sending, .queued, .accepted] {
                try factory.saving { store in
                    var mutation = try store.fetchMutations(MutationQuery())[0]
                    mutation.state = state
                    try store.updateMutation(mutation)
                    let query = MutationQuery(states: [state.name])
                    try expectEqual(store.fetchMutations(query).map(\.id), [id], "by the state \(state.name)")
                    try expectEqual(store.countMutations(.unsent), state.isUnsent ? 1 : 0, "unsent ones")
                }
            }
        },
        Check("the queue's extensions find, ask for and delete mutations that are on their way") { factory in
            try factory.saving { store in
                let sent = try store.insertPendingMutation(ContractSamples.mutation("a", .event, .create))
                try store.insertPendingMutation(ContractSamples.mutation("b", .event, .create, state: .accepted))
                try expectEqual(store.fetchPendingMutations().map(\.entityId), ["a"], "pending mutations")
                func has(_ id: String, _ type: EntityType, _ operation: MutationOperation) throws -> Bool {
                    try store.hasPendingMutation(entityId: id, entityType: type, operation: operation)
                }
                try expectEqual(has("a", .event, .create), true, "a pending create")
                try expectEqual(has("a", .event, .update), false, "another operation")
                try expectEqual(has("a", .geofence, .create), false, "another kind")
                try expectEqual(has("b", .event, .create), false, "one that is accepted")
                try store.deletePendingMutation(sent)
                try expectEqual(store.fetchPendingMutations(), [], "after deletion")
            }
        },
    ]

    /// Mutations of every state, operation and of several kinds and records, mixed.
    private static func mixedMutations() -> [PendingMutation] {
        let states: [MutationState] = [
            .queued, .accepted, .sending, .parked(ParkReason(code: .blamed, message: "m")), .dropped, .merged(into: 1),
        ]
        let kinds: [EntityType] = [.event, .eventType, "contract_item", "kind_of_the_future"]
        return (0..<72).map { number in
            let state = states[number % states.count]
            return ContractSamples.mutation(
                "r\(number % 5)", kinds[number / 2 % kinds.count],
                MutationOperation.allCases[number / 3 % MutationOperation.allCases.count], state: state,
                settledAt: state.isUnsent ? nil : Timestamp(milliseconds: Int64(number) * 10))
        }
    }

    /// Every combination of a few values of each condition.
    private static func queries(_ mutations: [PendingMutation]) -> [MutationQuery] {
        let states: [Set<MutationState.Name>?] = [
            nil, [], [.queued], [.queued, .sending], [.accepted, .dropped, .parked],
        ]
        let operations: [Set<MutationOperation>?] = [nil, [], [.create], [.update, .delete]]
        var queries: [MutationQuery] = []
        for states in states {
            for operations in operations {
                for entityType in [nil, EntityType.event, "none"] {
                    for entityId in [nil, "r1", "none"] {
                        queries.append(
                            MutationQuery(
                                states: states, entityType: entityType, operations: operations, entityId: entityId))
                    }
                }
            }
        }
        let afterIds: [Int64?] = [nil, 0, mutations[30].id, mutations[71].id]
        let moments: [Timestamp?] = [nil, Timestamp(milliseconds: 0), Timestamp(milliseconds: 400)]
        return queries.flatMap { query in
            afterIds.flatMap { afterId in
                moments.flatMap { moment in
                    [nil, 0, 3, 1000].map { limit in
                        var query = query
                        (query.afterId, query.settledBefore, query.limit) = (afterId, moment, limit)
                        return query
                    }
                }
            }
        }
    }
}
