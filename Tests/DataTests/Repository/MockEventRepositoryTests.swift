import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("The mock of the event repository")
struct MockEventRepositoryTests {
    @Test("keeps the contract with events of its own", arguments: EventRepositoryContract.checks)
    func contract(_ check: EventRepositoryContract.Check) async throws {
        try await EventRepositoryContract { MockEventRepository(records: $0) }.run(check)
    }

    @Test("keeps the contract with those of a store", arguments: EventRepositoryContract.checks)
    func contractOverStore(_ check: EventRepositoryContract.Check) async throws {
        try await EventRepositoryContract { records in
            let stores = InMemoryDataStoreFactory()
            try stores.saving { store in for record in records { try store.upsert(record) } }
            return MockEventRepository(readingFrom: stores)
        }.run(check)
    }

    @Test("shows what is saved and not what is deleted")
    func savesAndDeletes() async throws {
        let (kept, gone) = (makeEvent(notes: "kept"), makeEvent(notes: "gone"))
        let repository = MockEventRepository(seed: [kept, gone])
        await repository.delete(id: gone.id)
        var edited = kept
        edited.notes = "edited"
        await repository.save(edited, syncStatus: .synced)
        #expect(try await repository.fetchAll() == [LocalRecord(edited, syncStatus: .synced)])
    }

    @Test("notes every call, and fails once for each failure that was asked for")
    func callsAndFailures() async throws {
        let repository = MockEventRepository(seed: [makeEvent()])
        await repository.failNext(with: .busy)
        await #expect(throws: StoreError.busy) { try await repository.fetchAll() }
        #expect(try await repository.count(matching: EventFilter(limit: 1)) == 1)
        #expect(await repository.calls == [.fetch(EventFilter()), .count(EventFilter(limit: 1))])
        await repository.reset()
        #expect(await repository.calls.isEmpty)
    }
}
