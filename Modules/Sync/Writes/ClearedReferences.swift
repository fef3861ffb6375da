import Foundation
import TrendyDomain

/// What a deletion that waits has taken out of other waiting mutations: their references to the record that went.
///
/// It is kept as the deletion's payload, so that dropping the deletion puts the references back.
struct ClearedReferences: Codable {
    /// Mutations that named the record, by the field in which they did.
    private(set) var mutations: [String: [Int64]] = [:]
    /// How often those of them had been sent by then that had been sent at all, by their ids.
    private var attempts: [String: Int]?

    init() {}

    init(of deletion: PendingMutation) {
        let known = deletion.payload.flatMap { try? WireCoding.decode(Self.self, from: $0) }
        self = known ?? Self()
    }

    /// Forgets a mutation whose person has said since what the field is to hold. Answers whether it was known.
    mutating func remove(_ mutation: PendingMutation, _ field: String) -> Bool {
        guard let known = mutations[field], known.contains(mutation.id) else { return false }
        mutations[field] = known.filter { $0 != mutation.id }
        return true
    }

    /// Remembers a reference that went with a record, for as long as its deletion can be taken back.
    static func note(
        _ mutation: PendingMutation, _ field: String, takenBy id: Int64, in store: any DataStoreProtocol
    ) throws {
        guard var deletion = try store.findMutation(id: id), deletion.state == .queued || deletion.state.name == .parked
        else { return }
        var references = ClearedReferences(of: deletion)
        references.add(mutation, field)
        deletion.payload = try encoded(references)
        try store.updateMutation(deletion)
    }

    private mutating func add(_ mutation: PendingMutation, _ field: String) {
        mutations[field, default: []].append(mutation.id)
        if mutation.attempts > 0 {
            attempts = (attempts ?? [:]).merging([String(mutation.id): mutation.attempts]) { $1 }
        }
    }

    /// Whether a waiting mutation was sent since, so that the server may have it without its reference.
    func mayHaveArrivedWithout(_ mutation: PendingMutation) -> Bool {
        Coalescing.mayHaveArrived(mutation) && mutation.attempts > attempts?[String(mutation.id)] ?? 0
    }
}
