public import TrendyDomain

/// Events in memory, read as ``EventFilter`` says.
///
/// It passes ``EventRepositoryContract``, as the repository over SQLite does.
///
/// ```swift
/// let repository = MockEventRepository(seed: [makeEvent(notes: "run"), makeEvent()])
/// let found = try await repository.fetch(matching: EventFilter(where: .search("run")))
/// ```
public actor MockEventRepository: EventRepositoryProtocol {
    /// What was asked, in the order of the calls.
    public enum Call: Sendable, Hashable {
        /// The events that match were asked for.
        case fetch(EventFilter)
        /// The number of events that match was asked for.
        case count(EventFilter)
        /// The numbers by type were asked for.
        case countsByType(EventFilter)
        /// Ids with this ending were asked for.
        case ids(endingWith: String, limit: Int)
    }

    /// Every call since the beginning, or since ``reset()``.
    public private(set) var calls: [Call] = []

    private var saved: [String: LocalRecord<Event>]
    private let stores: (any DataStoreFactory)?
    private var failures: [StoreError] = []

    /// Makes a repository of these events, as ones that wait to be sent.
    public init(seed events: [Event] = []) {
        self.init(records: events.map { LocalRecord($0) })
    }

    /// Makes a repository of these records.
    public init(records: [LocalRecord<Event>]) {
        saved = Dictionary(records.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        stores = nil
    }

    /// Makes a repository of the events in a store, for tests in which an engine writes there.
    public init(readingFrom stores: any DataStoreFactory) {
        saved = [:]
        self.stores = stores
    }

    /// Puts an event in, or another version of it; over that of a store, where it reads from one.
    public func save(_ event: Event, syncStatus: SyncStatus = .pending) {
        saved[event.id] = LocalRecord(event, syncStatus: syncStatus)
    }

    /// Takes an event that was put in out again.
    public func delete(id: String) {
        saved[id] = nil
    }

    /// Lets the next call that has no failure waiting already throw this error.
    public func failNext(with error: StoreError) {
        failures.append(error)
    }

    /// Forgets the calls and the failures that wait; the events stay.
    public func reset() {
        calls = []
        failures = []
    }

    // MARK: EventRepositoryProtocol

    /// The events that match, in the filter's order.
    public func fetch(matching filter: EventFilter) throws -> [LocalRecord<Event>] {
        try filter.selection(from: records(for: .fetch(filter)))
    }

    /// How many events match, whatever the filter's limit.
    public func count(matching filter: EventFilter) throws -> Int {
        try records(for: .count(filter)).count(where: filter.matches)
    }

    /// How many matching events each type has, by the type's id.
    public func countsByType(matching filter: EventFilter) throws -> [String: Int] {
        let matching = try records(for: .countsByType(filter)).filter(filter.matches)
        return Dictionary(matching.map { ($0.entity.eventTypeId, 1) }, uniquingKeysWith: +)
    }

    /// The ids of the events whose id ends with this text, in order; at most `limit`.
    public func ids(endingWith suffix: String, limit: Int) throws -> [String] {
        let ids = try records(for: .ids(endingWith: suffix, limit: limit)).map(\.id)
        if suffix.isEmpty { return [] }
        let end = suffix.lowercased()
        return Array(ids.filter { $0.lowercased().hasSuffix(end) }.sorted().prefix(max(0, limit)))
    }

    /// Every event, once the call is noted and no failure waits for it.
    private func records(for call: Call) throws -> [LocalRecord<Event>] {
        calls.append(call)
        if !failures.isEmpty { throw failures.removeFirst() }
        guard let stores else { return Array(saved.values) }
        let stored = try stores.makeDataStore().fetch(Event.self, where: nil)
        return Array(Dictionary(stored.map { ($0.id, $0) }, uniquingKeysWith: { $1 }).merging(saved) { $1 }.values)
    }
}
