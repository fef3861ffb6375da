public import TrendyDomain

/// A server and a store in memory, for an engine under test.
///
/// ```swift
/// let (network, stores) = makeTestDependencies()
/// let engine = SyncEngine(networkClient: network, dataStoreFactory: stores)
/// ```
public func makeTestDependencies(
    schema: EntitySchema = .trendy, clock: any WallClock = ManualWallClock()
) -> (networkClient: MockNetworkClient, dataStoreFactory: MockDataStoreFactory) {
    let network = MockNetworkClient(schema: schema, clock: clock)
    return (network, MockDataStoreFactory(wrapping: InMemoryDataStoreFactory(schema: schema)))
}
