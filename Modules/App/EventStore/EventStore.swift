public import Observation
public import TrendyDomain
public import TrendySync

/// The model of a user interface: the records, the state of the sync, and all actions of a person.
///
/// Its properties are updated after each change through it, and after each sync. ``follow()`` keeps the sync state up to
/// date while its task runs. Writes need no network.
///
/// ```swift
/// let run = try await eventStore.create(EventType(id: ids.makeId(), name: "run"))
/// try await eventStore.create(Event(id: ids.makeId(), eventTypeId: run.id, timestamp: clock.now()))
/// await eventStore.syncNow()
/// ```
@MainActor
@Observable
public final class EventStore {
    /// The events that match ``filter``, as of the last ``refresh()``.
    public private(set) var events: [LocalRecord<Event>] = []
    /// The event types, by name, as of the last ``refresh()``.
    public private(set) var eventTypes: [LocalRecord<EventType>] = []
    /// The definitions of properties, in the order of their display, as of the last ``refresh()``.
    public private(set) var propertyDefinitions: [LocalRecord<PropertyDefinition>] = []
    /// The geofences, by name, as of the last ``refresh()``.
    public private(set) var geofences: [LocalRecord<Geofence>] = []
    /// The state of the engine.
    public internal(set) var syncState: SyncState = .idle
    /// The number of waiting changes.
    public private(set) var pendingCount = 0
    /// The end of the last successful sync; nil before the first.
    public private(set) var lastSyncTime: Timestamp?
    /// The report of the last sync of this process.
    public private(set) var lastReport: SyncReport?
    /// The filter of the shown events; call ``refresh()`` after changing it.
    public var filter: EventFilter

    @ObservationIgnored let engine: SyncEngine
    @ObservationIgnored private let repository: any EventRepositoryProtocol
    @ObservationIgnored let stores: any DataStoreFactory
    @ObservationIgnored let wallClock: any WallClock
    @ObservationIgnored private var isShown = false
    @ObservationIgnored private var undoGroup: String?
    /// Whether a change through this store waits for a sync.
    @ObservationIgnored var hasQueued = false

    /// Creates an event store.
    ///
    /// - Parameters:
    ///   - engine: Writes and syncs.
    ///   - repository: Reads events.
    ///   - stores: Reads the other kinds of records.
    ///   - wallClock: The clock for the times of changes.
    ///   - filter: The filter of the shown events.
    nonisolated public init(
        engine: SyncEngine, repository: any EventRepositoryProtocol, stores: any DataStoreFactory,
        wallClock: any WallClock = SystemWallClock(), filter: EventFilter = EventFilter(limit: 500)
    ) {
        self.engine = engine
        self.repository = repository
        self.stores = stores
        self.wallClock = wallClock
        _filter = filter
    }

    // MARK: Reading

    /// Loads the shown records; from then on every change refreshes them.
    ///
    /// - Throws: ``StoreError``.
    public func load() async throws {
        try await engine.loadInitialState()
        isShown = true
        try await refresh()
    }

    /// Reloads the shown records.
    ///
    /// - Throws: ``StoreError``.
    public func refresh() async throws {
        events = try await repository.fetch(matching: filter)
        let store = try stores.makeDataStore()
        eventTypes = try store.fetch(EventType.self, where: nil).sorted { $0.entity.name < $1.entity.name }
        propertyDefinitions = try store.fetch(PropertyDefinition.self, where: nil)
            .sorted { ($0.entity.displayOrder, $0.entity.key) < ($1.entity.displayOrder, $1.entity.key) }
        geofences = try store.fetch(Geofence.self, where: nil).sorted { $0.entity.name < $1.entity.name }
        pendingCount = try store.countMutations(.unsent)
        lastSyncTime = await engine.lastSyncTime
        syncState = engine.state
    }

    /// Follows the engine's state until the task is cancelled.
    public func follow() async {
        for await state in engine.stateChanges {
            syncState = state
        }
    }

    // MARK: Writing

    /// Creates a record.
    ///
    /// - Throws: ``ValidationError``, ``StoreError`` or `SyncEngineError`.
    @discardableResult
    public func create<Entity: SyncEntity>(_ entity: Entity) async throws -> Entity {
        try await perform { try $0.create(entity) }
        return entity
    }

    /// Creates many records in one save.
    ///
    /// - Returns: The number of records.
    /// - Throws: ``ValidationError``, ``StoreError`` or `SyncEngineError`.
    @discardableResult
    public func create<Entity: SyncEntity>(contentsOf entities: [Entity]) async throws -> Int {
        try await perform { writes in
            for entity in entities { try writes.create(entity) }
        }
        return entities.count
    }

    /// Does several writes in one save. If the closure throws, nothing is written.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, or ``StoreError``.
    @discardableResult
    public func perform<Result: Sendable>(
        _ body: @Sendable (LocalWrites) throws -> Result
    ) async throws -> Result {
        let (group, clock) = (undoGroup, wallClock)
        let (result, isChange) = try await engine.perform { try Self.noting(group, clock, $0, body) }
        if isChange { hasQueued = true }
        try await refreshIfShown()
        return result
    }

    /// Does writes in one save, and records the irreversible command that the closure returns.
    func performForGood<Result: Sendable>(
        _ deed: IrreversibleCommand, _ body: @Sendable (LocalWrites) throws -> (Result, isFinal: Bool)
    ) async throws -> Result {
        let clock = wallClock
        let result = try await engine.perform { writes in
            let journal = try UndoJournal(watching: writes, clock: clock)
            let (result, isFinal) = try body(writes)
            if isFinal { try journal.note(deed) }
            return result
        }
        try await refreshIfShown()
        return result
    }

    /// Like ``perform(_:)``, but on the calling thread, for a program without a user interface.
    func performSynchronously<Result>(_ body: (LocalWrites) throws -> Result) throws -> Result {
        let (result, isChange) = try engine.performSynchronously { try Self.noting(undoGroup, wallClock, $0, body) }
        if isChange { hasQueued = true }
        return result
    }

    /// Does the writes and records them for undo. Returns whether they changed anything.
    private nonisolated static func noting<Result>(
        _ group: String?, _ clock: any WallClock, _ writes: LocalWrites, _ body: (LocalWrites) throws -> Result
    ) throws -> (Result, Bool) {
        let journal = try UndoJournal(watching: writes, clock: clock)
        let result = try body(writes)
        try journal.note(group: group)
        return (result, !writes.changes.isEmpty)
    }

    /// Updates a record.
    ///
    /// - Throws: ``ValidationError``, ``StoreError`` or `SyncEngineError`.
    @discardableResult
    public func update<Entity: SyncEntity>(_ entity: Entity) async throws -> Entity {
        try await perform { try $0.update(entity) }
        return entity
    }

    /// Deletes a record with its children.
    ///
    /// - Throws: ``StoreError`` or `SyncEngineError`.
    public func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws {
        try await perform { try $0.delete(type, id: id) }
    }

    /// Groups the following changes for undo, until the next call.
    ///
    /// - Parameter name: A unique name; nil to undo each change separately.
    func groupForUndo(_ name: String?) {
        undoGroup = name
    }

    func refreshIfShown() async throws {
        if isShown { try await refresh() }
    }

    // MARK: Syncing

    /// Sends waiting changes, and receives the changes of other devices.
    ///
    /// - Parameter full: True to fetch all records again.
    @discardableResult
    public func syncNow(full: Bool = false) async -> SyncReport {
        let report = full ? await engine.forceFullResync() : await engine.performSync()
        lastReport = report
        pendingCount = report.pending
        syncState = report.state
        lastSyncTime = await engine.lastSyncTime
        // If the store cannot be read, the shown records stay, and the report has the error.
        if isShown { try? await refresh() }
        return report
    }
}
