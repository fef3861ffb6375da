import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("Reading the store")
struct StoreReaderTests {
    let store: TemporaryStore
    let reader: StoreReader

    init() throws {
        store = try TemporaryStore(schema: EntitySchema(EntitySchema.trendy.types + [ContractItem.self]))
        reader = store.factory.makeReader()
    }

    private func mutation(_ state: MutationState) -> PendingMutation {
        PendingMutation(
            clientRequestId: "k", entityType: .event, operation: .create, entityId: "e",
            createdAt: Timestamp(milliseconds: 0), state: state)
    }

    @Test("an empty store counts zero of everything that it knows")
    func emptyStore() throws {
        let kinds: [EntityType] = [.event, .eventType, .geofence, .propertyDefinition, ContractItem.entityType]
        #expect(try reader.counts() == Dictionary(kinds.map { ($0, 0) }, uniquingKeysWith: +))
        let states = MutationState.Name.allCases.map { ($0, 0) }
        #expect(try reader.mutationCounts() == Dictionary(states, uniquingKeysWith: +))
    }

    @Test("counts, records, queue and memory are those that were saved")
    func savedThings() throws {
        try store.saving { store in
            try store.upsertEventType(id: "t1") { $0.name = "coffee" }
            try store.upsertEventType(id: "t2") { $0.name = "tea" }
            try store.upsert(LocalRecord(ContractItem(id: "item-abc", name: "n", ownerId: "t1")))
            for state in [MutationState.queued, .queued, .accepted] { try store.insertMutation(mutation(state)) }
            try store.setMetadata("key", "value")
            try store.putDocument(
                SyncConflict(
                    id: "c", kind: .field, entityType: .event, entityId: "e", localValue: 1, remoteValue: 2,
                    detectedAt: Timestamp(milliseconds: 0)))
        }
        #expect(try reader.counts()[.eventType] == 2)
        #expect(try reader.find(EventType.self, id: "t2")?.entity.name == "tea")
        #expect(try reader.fetch(EventType.self).map(\.id) == ["t1", "t2"])
        #expect(try reader.fetch(ContractItem.self, where: FieldCondition("owner_id", equals: "t1")).count == 1)
        #expect(try reader.mutationCounts()[.queued] == 2)
        #expect(try reader.mutationCounts()[.accepted] == 1)
        #expect(try reader.countMutations(.unsent) == 2)
        #expect(try reader.mutations(.unsent).map(\.id) == [1, 2])
        #expect(try reader.mutation(id: 3)?.state == .accepted)
        #expect(try reader.metadata("key") == "value")
        #expect(try reader.documents(SyncConflict.self).map(\.id) == ["c"])
        #expect(try reader.countDocuments(SyncConflict.self) == 1)
    }

    @Test("the unsent mutations that failed are counted by what the last try ended with")
    func attempted() throws {
        #expect(try reader.attemptedMutations().isEmpty)
        try store.saving { store in
            let tries: [(MutationState, Int, String?)] = [
                (.queued, 0, nil), (.sending, 2, "b"), (.queued, 1, "a"), (.accepted, 1, "b"), (.queued, 1, "b"),
                (.queued, 0, "a"), (.queued, 1, nil),
            ]
            for (state, attempts, error) in tries {
                var tried = mutation(state)
                (tried.attempts, tried.lastError) = (attempts, error)
                try store.insertMutation(tried)
            }
        }
        let found = try reader.attemptedMutations()
        // What fails on the way to the server has no attempts.
        #expect(found.map(\.error) == ["b", "a"] && found.map(\.count) == [2, 2])
    }

    @Test("ids of every kind are found by their end, and an unknown kind is an error")
    func suffixes() throws {
        try store.saving { try $0.upsert(LocalRecord(ContractItem(id: "item-abcdef", name: "n"))) }
        #expect(try reader.ids(of: ContractItem.entityType, endingWith: "def", limit: 2) == ["item-abcdef"])
        #expect(try reader.ids(of: ContractItem.entityType, endingWith: "ITEM-ABCDEF", limit: 2) == ["item-abcdef"])
        #expect(throws: StoreError.unknownEntityType("nothing")) {
            try reader.ids(of: "nothing", endingWith: "def", limit: 2)
        }
    }
}
