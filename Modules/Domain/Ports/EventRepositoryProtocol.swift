/// Reads for people: what a user interface shows, without holding up whoever writes.
///
/// Writing is the sync engine's: a record and the mutation that sends it go into one save.
///
/// Every method throws ``StoreError``.
public protocol EventRepositoryProtocol: Sendable {
    /// The events that match; of equal times the one with the greater id counts as newer.
    func fetch(matching filter: EventFilter) async throws -> [LocalRecord<Event>]

    /// How many events match, whatever the filter's limit.
    func count(matching filter: EventFilter) async throws -> Int

    /// How many matching events each type has, by the type's id, whatever the filter's limit.
    func countsByType(matching filter: EventFilter) async throws -> [String: Int]

    /// The ids, in order, of the events whose id is, or ends with, this text, in either case; at most `limit`.
    ///
    /// An empty text ends no id.
    func ids(endingWith suffix: String, limit: Int) async throws -> [String]
}

extension EventRepositoryProtocol {
    /// Every event, newest first.
    public func fetchAll() async throws -> [LocalRecord<Event>] {
        try await fetch(matching: EventFilter())
    }
}
