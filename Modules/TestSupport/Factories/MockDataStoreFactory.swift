public import TrendyDomain

/// A factory of stores that counts how often it was asked, and records what its units of work were asked.
///
/// All units share one store, as those of any factory do, and one recording:
///
/// ```swift
/// let stores = MockDataStoreFactory()
/// let engine = SyncEngine(networkClient: MockNetworkClient(), dataStoreFactory: stores)
/// try await engine.create(makeEventType())
/// #expect(stores.upsertEventTypeCallCount == 1)
/// #expect(try stores.unrecorded { try $0.fetchAllEventTypes() }.count == 1)
/// ```
public final class MockDataStoreFactory: DataStoreFactory, MockStoreSpy {
    /// The factory that makes the stores beneath.
    public let base: any DataStoreFactory
    /// What the factory and all units of work that it made were asked, and the script for both.
    public let recording = MockStoreRecording()

    /// Makes a factory over a store in memory, or over the one given.
    public init(wrapping base: any DataStoreFactory = InMemoryDataStoreFactory()) {
        self.base = base
    }

    /// Opens a unit of work that is recorded with those before it.
    ///
    /// - Throws: What the script says for `.makeDataStore`, and what the factory beneath throws.
    public func makeDataStore() throws -> any DataStoreProtocol {
        let unit = try recording.answer(MockStoreCall(.makeDataStore)) { try base.makeDataStore() }
        return MockDataStore(wrapping: unit, recording: recording)
    }

    /// How many times a store was asked for.
    public var makeDataStoreCallCount: Int { callCount(.makeDataStore) }

    /// Lets the next call that has no failure waiting already throw this error.
    public func failNextMakeDataStore(with error: StoreError) {
        enqueue(.fail(error), for: .makeDataStore)
    }

    /// Does something with a unit of work that is neither counted nor made to fail, and saves it: to put records in
    /// before a test acts, and to look at what is there afterwards.
    public func unrecorded<Result>(_ body: (any DataStoreProtocol) throws -> Result) throws -> Result {
        let store = try base.makeDataStore()
        let result = try body(store)
        try store.save()
        return result
    }
}
