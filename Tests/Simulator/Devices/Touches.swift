import Synchronization
import TrendyDomain

/// What saves have written on a device since somebody looked.
final class Touches: Sendable {
    struct Written {
        /// The records of which something was written, their bases and mutations included.
        var records: [EntityType: Set<String>] = [:]
        /// Whether all records of every kind may have changed.
        var isEverything = false
        var mutations = false
        var metadata = false
        var documents = false

        mutating func touch(_ type: EntityType, _ ids: some Sequence<String>) {
            records[type, default: []].formUnion(ids)
        }

        mutating func touch(_ changed: [PendingMutation]) {
            mutations = true
            for mutation in changed { records[mutation.entityType, default: []].insert(mutation.entityId) }
        }

        mutating func merge(_ other: Written) {
            records.merge(other.records) { $0.union($1) }
            isEverything = isEverything || other.isEverything
            mutations = mutations || other.mutations
            metadata = metadata || other.metadata
            documents = documents || other.documents
        }
    }

    private let written = Mutex<Written?>(nil)

    func add(_ other: Written) {
        written.withLock { written in
            if written == nil { written = other } else { written?.merge(other) }
        }
    }

    /// What was written since the last call; nil where nothing was saved.
    func take() -> Written? {
        written.withLock { written in
            defer { written = nil }
            return written
        }
    }
}
