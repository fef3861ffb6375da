/// Reads for people: what a user interface shows, without holding up whoever writes.
///
/// Every method throws ``StoreError``.
public protocol EventRepositoryProtocol: Sendable {
    /// The events that match; of equal times the one with the greater id counts as newer.
    func fetch(matching filter: EventFilter) async throws -> [LocalRecord<Event>]

    /// How many events match, whatever the filter's limit.
    func count(matching filter: EventFilter) async throws -> Int

    /// How many matching events each type has, by the type's id, whatever the filter's limit.
    func countsByType(matching filter: EventFilter) async throws -> [String: Int]

    /// The ids of the events whose id is, or ends with, this text; at most `limit`.
    func ids(endingWith suffix: String, limit: Int) async throws -> [String]
}
