import Foundation
import Synchronization
public import TrendyDomain

/// A store in memory that keeps every promise of ``DataStoreProtocol`` but durability: it is gone with its factory.
///
/// For tests and simulations. All units of work of one factory share one store, from any number of
/// tasks; two factories are two stores. Taking the write lock copies what is then changed, kind by kind,
/// so that a store with a hundred thousand records is better kept in SQLite.
public final class InMemoryDataStoreFactory: DataStoreFactory {
    private struct State {
        var contents = StoreContents()
        var isWriteLocked = false
    }

    /// The kinds of record that the store has tables for.
    public let schema: EntitySchema
    private let lockTimeout: Duration
    private let state = Mutex(State())
    private let lockReleased = NSCondition()

    /// Makes an empty store.
    ///
    /// - Parameters:
    ///   - schema: The kinds of record that it can hold.
    ///   - lockTimeout: How long a unit waits for the write lock before it throws ``StoreError/busy``.
    public init(schema: EntitySchema = .trendy, lockTimeout: Duration = .seconds(5)) {
        self.schema = schema
        self.lockTimeout = lockTimeout
    }

    /// Opens a unit of work on the store in memory.
    public func makeDataStore() throws -> any DataStoreProtocol {
        InMemoryDataStore(factory: self)
    }

    /// Another store with what was saved in this one, as after a copy of its file.
    public func copy() -> InMemoryDataStoreFactory {
        let copy = InMemoryDataStoreFactory(schema: schema, lockTimeout: lockTimeout)
        let saved = savedContents
        copy.state.withLock { $0.contents = saved }
        return copy
    }

    /// True while a unit of work holds the write lock: has written, or begun, and not saved.
    public var isWriteLocked: Bool { state.withLock { $0.isWriteLocked } }

    /// What has been saved.
    var savedContents: StoreContents { state.withLock { $0.contents } }

    /// Waits for the write lock and takes it. Answers what has been saved.
    func lockForWriting() throws(StoreError) -> StoreContents {
        lockReleased.lock()
        defer { lockReleased.unlock() }
        let deadline = Date(timeIntervalSinceNow: lockTimeout / .seconds(1))
        while isWriteLocked {
            guard lockReleased.wait(until: deadline) else { throw .busy }
        }
        return state.withLock {
            $0.isWriteLocked = true
            return $0.contents
        }
    }

    /// Gives the write lock back, after saving the new contents where there are any.
    func unlock(saving contents: StoreContents?) {
        lockReleased.lock()
        defer { lockReleased.unlock() }
        state.withLock {
            if let contents { $0.contents = contents }
            $0.isWriteLocked = false
        }
        lockReleased.signal()
    }
}
