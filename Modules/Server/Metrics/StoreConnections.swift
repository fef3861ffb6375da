import Synchronization

/// Counts who uses the connections of a store to its database, and who waits for one.
public final class StoreConnections: Sendable {
    /// How the connections are used at a moment.
    public struct Usage: Sendable, Hashable {
        /// How many are in use.
        public var inUse: Int
        /// How many callers wait for one.
        public var waiting: Int
        /// How many callers have had to wait.
        public var waits: Int
    }

    /// What the connections are for, in a word.
    public let purpose: String
    /// How many there are at most.
    public let size: Int
    private let state = Mutex((callers: 0, waits: 0))

    /// Makes a count of so many connections, none of which is in use.
    public init(_ purpose: String, size: Int) {
        self.purpose = purpose
        self.size = size
    }

    /// How they are used now.
    public var usage: Usage {
        let (callers, waits) = state.withLock { $0 }
        return Usage(inUse: min(callers, size), waiting: max(0, callers - size), waits: waits)
    }

    /// Runs the body, which takes one of the connections as soon as one is free.
    func count<Value>(_ body: () throws -> Value) rethrows -> Value {
        state.withLock { state in
            if state.callers >= size { state.waits += 1 }
            state.callers += 1
        }
        defer { state.withLock { $0.callers -= 1 } }
        return try body()
    }
}
