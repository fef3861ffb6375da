import Foundation
import TrendyDomain

/// What a deletion that waits has taken out of other waiting mutations: their references to the record that went.
///
/// It is kept as the deletion's payload, so that dropping the deletion puts the references back.
struct ClearedReferences: Codable {
    /// Mutations that named the record, by the field in which they did.
    private(set) var mutations: [String: [Int64]] = [:]

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

    mutating func add(_ mutation: PendingMutation, _ field: String) {
        mutations[field, default: []].append(mutation.id)
    }
}
