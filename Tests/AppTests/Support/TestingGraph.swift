import TrendyDomain
import TrendyNotation
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

extension DependencyRegistrations {
    /// The product's graph with server, store, clock and ids in memory.
    ///
    /// - Parameters:
    ///   - network: The server of every device of a test.
    ///   - stores: The device's store.
    @MainActor
    static func testing(
        network: MockNetworkClient = MockNetworkClient(), stores: MockDataStoreFactory = MockDataStoreFactory()
    ) -> DependencyRegistrations {
        let clock = ManualWallClock()
        let process = ProcessContext(
            environment: [:], input: StandardInput(descriptor: -1), output: Output(), errors: Output(),
            wallClock: clock, identifiers: SequentialIdentifiers(), zone: .utc, clock: ManualClock())
        // Nothing reads from there: what a test asks for is made of the parts below.
        let nowhere = Folders(data: "/nowhere/trendy", config: "/nowhere/trendy")
        var graph = production(configuration: TrendyConfiguration(folders: nowhere), process: process)
        graph.register((any NetworkClientProtocol).self) { network }
        graph.register((any DataStoreFactory).self) { stores }
        graph.register((any EventRepositoryProtocol).self, from: (any DataStoreFactory).self) {
            MockEventRepository(readingFrom: $0)
        }
        return graph
    }
}
