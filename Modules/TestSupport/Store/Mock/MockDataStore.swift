public import TrendyDomain

/// A unit of work that records every call and fails where a test says so, over an honest store.
///
/// It keeps the contract of ``DataStoreProtocol``, because the store beneath does the work: by default
/// one in memory. By itself it is for code that takes a store; an engine is given a
/// ``MockDataStoreFactory``, whose units share one recording.
///
/// ```swift
/// let store = try MockDataStore()
/// try store.upsertEvent(id: testId(2)) { $0.eventTypeId = testId(1) }
/// #expect(store.upsertEventCallCount == 1)
/// ```
public final class MockDataStore: DataStoreProtocol, MockStoreSpy {
    /// The store beneath. What is asked of it directly is not recorded and does not fail by script.
    public let base: any DataStoreProtocol
    /// Every call of this unit and of those that it shares the recording with, and the script.
    public let recording: MockStoreRecording

    /// Makes a unit of work on a store of its own in memory.
    public convenience init(schema: EntitySchema = .trendy) throws {
        try self.init(wrapping: InMemoryDataStoreFactory(schema: schema).makeDataStore())
    }

    /// Makes one over another unit of work.
    public init(wrapping base: any DataStoreProtocol, recording: MockStoreRecording = MockStoreRecording()) {
        self.base = base
        self.recording = recording
    }

    /// Takes the write lock of the store beneath. If the script fails it, the lock stays free.
    public func begin() throws { try record(MockStoreCall(.begin)) { try base.begin() } }
    /// Commits in the store beneath.
    ///
    /// If the script fails it, nothing is committed, and the unit keeps the write lock until it is released. With
    /// ``MockStoreAnswer/serveThenFail(_:)`` everything is committed, and the caller gets the error.
    public func save() throws { try record(MockStoreCall(.save)) { try base.save() } }

    /// Records a call, and hands it to the store beneath or does what the script says.
    func record<Result>(_ call: MockStoreCall, serve: () throws -> Result) throws -> Result {
        try recording.answer(call, serve: serve)
    }

    /// Records a call about records of a kind.
    func record<Entity: SyncEntity, Result>(
        _ operation: MockStoreOperation, _ type: Entity.Type, _ ids: [String] = [], serve: () throws -> Result
    ) throws -> Result {
        var call = MockStoreCall(operation, type.entityType)
        call.entityIds = ids
        return try record(call, serve: serve)
    }
}
