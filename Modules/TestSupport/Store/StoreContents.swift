import Foundation
import TrendyDomain

/// Everything that an in-memory store holds: a value, so that a unit of work changes its own copy.
struct StoreContents: Sendable {
    /// Records by kind and id.
    var records: [EntityType: [String: InMemoryRecord]] = [:]
    /// The bases of records by kind and id.
    var bases: [EntityType: [String: RecordBase]] = [:]
    /// The ids that a resync has shown, by kind.
    var marks: [EntityType: Set<String>] = [:]
    var queue = StoredQueue()
    var metadata: [String: String] = [:]
    /// Documents as JSON by collection and id.
    var documents: [String: [String: Data]] = [:]
}

/// A record beside the strings that a condition compares.
struct InMemoryRecord: Sendable {
    /// A `LocalRecord` of the kind that the table is for.
    var record: any StoredVersion
    /// The fields whose values are strings, by wire name.
    var strings: [String: String]
}

/// What a record is kept with, whatever its kind.
protocol StoredVersion: Sendable {
    var server: ServerFields { get set }
    var syncStatus: SyncStatus { get set }
    var revision: Int64 { get set }
    var createdRevision: Int64 { get set }
}

extension LocalRecord: StoredVersion {}

/// Mutations in the order of their ids.
struct StoredQueue: Sendable {
    private(set) var mutations: [PendingMutation] = []
    private var lastId: Int64 = 0

    /// Appends a mutation under the next id, which no mutation had before, deleted ones included.
    mutating func append(_ mutation: PendingMutation) -> PendingMutation {
        var mutation = mutation
        lastId += 1
        mutation.id = lastId
        mutations.append(mutation)
        return mutation
    }

    mutating func replace(_ mutation: PendingMutation) {
        if let index = index(of: mutation.id) { mutations[index] = mutation }
    }

    mutating func remove(id: Int64) {
        if let index = index(of: id) { mutations.remove(at: index) }
    }

    func find(id: Int64) -> PendingMutation? {
        index(of: id).map { mutations[$0] }
    }

    /// The mutations with greater ids.
    func after(_ id: Int64?) -> ArraySlice<PendingMutation> {
        guard let id else { return mutations[...] }
        let start = position(of: id)
        let isThere = start < mutations.count && mutations[start].id == id
        return mutations[(isThere ? start + 1 : start)...]
    }

    private func index(of id: Int64) -> Int? {
        let position = position(of: id)
        return position < mutations.count && mutations[position].id == id ? position : nil
    }

    /// The place of the first mutation whose id is not smaller.
    private func position(of id: Int64) -> Int {
        var range = 0..<mutations.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = mutations[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
