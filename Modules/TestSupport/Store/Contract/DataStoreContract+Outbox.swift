import TrendyDomain

extension DataStoreContract {
    static let outboxChecks = [
        Check("the open mutations of records are those queued, sending or parked, in the order of the queue") {
            factory in
            let reason = ParkReason(code: .rejected, message: "no")
            let states: [MutationState] = [
                .parked(reason), .queued, .accepted, .sending, .merged(into: 1), .dropped, .queued,
            ]
            let (first, second, third) = (ContractSamples.id(1), ContractSamples.id(2), "m3")
            let all = try factory.saving { store in
                try states.flatMap { state in
                    try [second, first, third].map {
                        try store.insertMutation(ContractSamples.mutation($0, .event, .update, state: state))
                    }
                } + [store.insertMutation(ContractSamples.mutation(first, .eventType))]
            }
            func isOpen(_ mutation: PendingMutation) -> Bool {
                mutation.state.isUnsent || mutation.state.name == .parked
            }
            try factory.reading { store in
                let found = try store.openMutations(.event, ids: [first, third, "none", first])
                let expected = all.filter { isOpen($0) && $0.entityType == .event && $0.entityId != second }
                try expectEqual(found, expected, "of two records")
                let keys = try store.openKeys(.event, ids: [first, third, "none", first])
                let expectedKeys = Dictionary(grouping: expected, by: \.entityId).mapValues {
                    $0.map(\.clientRequestId)
                }
                try expectEqual(keys, expectedKeys, "the keys of two records")
                try expectEqual(store.openMutations(.eventType, ids: [first, second]), [all[21]], "of another kind")
                try expectEqual(store.openMutations(.geofence, ids: [first]), [], "of a kind without any")
                try expectEqual(store.openMutations(.event, ids: []), [], "of no records")
            }
        },
        Check("a set of mutations is replaced, and none is made") { factory in
            let all = try factory.saving { store in
                try ["a", "b", "c"].map { try store.insertMutation(ContractSamples.mutation($0)) }
            }
            var changed = [all[0], all[2], all[0]].map { former in
                var mutation = ContractSamples.fullMutation(.parked(ParkReason(code: .rejected, message: "no")))
                mutation.id = former.id
                return mutation
            }
            changed[2].id = all[2].id + 100
            try factory.saving { try $0.updateMutations(changed) }
            try factory.reading { store in
                let found = try store.fetchMutations(MutationQuery())
                try expectEqual(found, [changed[0], all[1], changed[1]], "all mutations")
                let parked = try store.countMutations(MutationQuery(states: [.parked]))
                try expectEqual(parked, 2, "the number of those in their new state")
            }
        },
        Check("accepted mutations keep what they are, and not what they carried") { factory in
            let full = ContractSamples.fullMutation(.parked(ParkReason(code: .rejected, message: "no")))
            let all = try factory.saving { store in try (0..<3).map { _ in try store.insertMutation(full) } }
            let moment = Timestamp(milliseconds: 99)
            try factory.saving { try $0.acceptMutations([all[0].id, all[2].id, 9_999], at: moment) }
            let expected = all.enumerated().map { number, mutation in
                guard number != 1 else { return mutation }
                var accepted = mutation
                accepted.state = .accepted
                (accepted.payload, accepted.lastError) = (nil, nil)
                accepted.settledAt = moment
                return accepted
            }
            try factory.reading { store in
                try expectEqual(store.fetchMutations(MutationQuery()), expected, "all mutations")
                let accepted = try store.countMutations(MutationQuery(states: [.accepted]))
                try expectEqual(accepted, 2, "the number of accepted ones")
            }
        },
    ]
}
