import Synchronization
public import TrendyDomain

/// A factory of stores that counts how often it was asked, over any other factory.
public final class MockDataStoreFactory: DataStoreFactory {
    private struct State {
        var callCount = 0
        var failures: [StoreError] = []
    }

    /// The factory that makes the stores.
    public let base: any DataStoreFactory
    private let state = Mutex(State())

    /// Makes a factory over a store in memory, or over the one given.
    public init(wrapping base: any DataStoreFactory = InMemoryDataStoreFactory()) {
        self.base = base
    }

    /// How many times a store was asked for.
    public var makeDataStoreCallCount: Int { state.withLock { $0.callCount } }

    /// Lets the next call that has no failure waiting already throw this error.
    public func failNextMakeDataStore(with error: StoreError) {
        state.withLock { $0.failures.append(error) }
    }

    /// Forgets the calls and the failures that wait.
    public func reset() {
        state.withLock { $0 = State() }
    }

    public func makeDataStore() throws -> any DataStoreProtocol {
        let failure = state.withLock { state -> StoreError? in
            state.callCount += 1
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        if let failure { throw failure }
        return try base.makeDataStore()
    }
}
