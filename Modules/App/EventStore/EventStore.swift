public import Observation
public import TrendyDomain
public import TrendySync

/// What a user interface talks to: the records, the state of the sync, and everything a person can do.
///
/// It shows what the store holds after each change made through it, and after each sync; ``follow()``
/// keeps the sync state up to date for as long as its task runs. Writes need no network.
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
    /// What the engine is doing.
    public internal(set) var syncState: SyncState = .idle
    /// How many changes wait to be sent.
    public private(set) var pendingCount = 0
    /// When the last sync that went well ended; none before the first.
    public private(set) var lastSyncTime: Timestamp?
    /// What the last sync of this process did.
    public private(set) var lastReport: SyncReport?
    /// Which events to show; call ``refresh()`` after changing it.
    public var filter: EventFilter

    @ObservationIgnored let engine: SyncEngine
    @ObservationIgnored private let repository: any EventRepositoryProtocol
    @ObservationIgnored let stores: any DataStoreFactory
    @ObservationIgnored let wallClock: any WallClock
    @ObservationIgnored private var isShown = false
    @ObservationIgnored private var undoGroup: String?
    /// Whether anything was changed through this store that a sync would send.
    @ObservationIgnored var hasQueued = false

    /// Makes a store for a user interface.
    ///
    /// - Parameters:
    ///   - engine: Writes and syncs.
    ///   - repository: Reads events.
    ///   - stores: Reads the other kinds.
    ///   - wallClock: Tells when changes are made.
    ///   - filter: Which events to show.
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

    /// Reads everything that is shown from the store; from then on every change refreshes it.
    ///
    /// - Throws: ``StoreError``.
    public func load() async throws {
        try await engine.loadInitialState()
        isShown = true
        try await refresh()
    }

    /// Reads everything that is shown again.
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

    /// Puts a new record in.
    ///
    /// - Throws: ``ValidationError``, ``StoreError`` or `SyncEngineError`.
    @discardableResult
    public func create<Entity: SyncEntity>(_ entity: Entity) async throws -> Entity {
        try await perform { try $0.create(entity) }
        return entity
    }

    /// Puts many new records in, all of them in one save or none.
    ///
    /// - Returns: How many there were.
    /// - Throws: ``ValidationError``, ``StoreError`` or `SyncEngineError`.
    @discardableResult
    public func create<Entity: SyncEntity>(contentsOf entities: [Entity]) async throws -> Int {
        try await perform { writes in
            for entity in entities { try writes.create(entity) }
        }
        return entities.count
    }

    /// Does several writes in one save: all of them, or none where the closure throws.
    ///
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws, or ``StoreError``.
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

    /// Does writes in one save that cannot be taken back where the closure says so, which is noted then.
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

    /// As ``perform(_:)``, without leaving the thread; for a program that shows nothing and ends then.
    func performSynchronously<Result>(_ body: (LocalWrites) throws -> Result) throws -> Result {
        let (result, isChange) = try engine.performSynchronously { try Self.noting(undoGroup, wallClock, $0, body) }
        if isChange { hasQueued = true }
        return result
    }

    /// Does the writes, and notes them so that they can be taken back. Answers whether they changed anything.
    private nonisolated static func noting<Result>(
        _ group: String?, _ clock: any WallClock, _ writes: LocalWrites, _ body: (LocalWrites) throws -> Result
    ) throws -> (Result, Bool) {
        let journal = try UndoJournal(watching: writes, clock: clock)
        let result = try body(writes)
        try journal.note(group: group)
        return (result, !writes.changes.isEmpty)
    }

    /// Changes a record to this version of it.
    ///
    /// - Throws: ``ValidationError``, ``StoreError`` or `SyncEngineError`.
    @discardableResult
    public func update<Entity: SyncEntity>(_ entity: Entity) async throws -> Entity {
        try await perform { try $0.update(entity) }
        return entity
    }

    /// Deletes a record and what belongs to it.
    ///
    /// - Throws: ``StoreError`` or `SyncEngineError`.
    public func delete<Entity: SyncEntity>(_ type: Entity.Type, id: String) async throws {
        try await perform { try $0.delete(type, id: id) }
    }

    /// Lets everything that is changed from now on be taken back together, until the name changes.
    ///
    /// - Parameter name: One that no other group has; nil to let each call be taken back by itself.
    func groupForUndo(_ name: String?) {
        undoGroup = name
    }

    func refreshIfShown() async throws {
        if isShown { try await refresh() }
    }

    // MARK: Syncing

    /// Sends what waits, and receives what others did.
    ///
    /// - Parameter full: True to fetch everything anew.
    @discardableResult
    public func syncNow(full: Bool = false) async -> SyncReport {
        let report = full ? await engine.forceFullResync() : await engine.performSync()
        lastReport = report
        pendingCount = report.pending
        syncState = report.state
        lastSyncTime = await engine.lastSyncTime
        // What is shown stays as it was where the store cannot be read; the report says why.
        if isShown { try? await refresh() }
        return report
    }
}
