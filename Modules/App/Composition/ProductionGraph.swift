import TrendyData
import TrendyDomain
import TrendySync

extension DependencyRegistrations {
    /// The graph of the product: which implementation stands behind which protocol.
    ///
    /// - Parameters:
    ///   - configuration: The settings of this run.
    ///   - process: The clocks and ids.
    @MainActor
    public static func production(
        configuration: TrendyConfiguration, process: ProcessContext
    ) -> DependencyRegistrations {
        var graph = DependencyRegistrations()
        graph.register(TrendyConfiguration.self) { configuration }
        graph.registerProcess(process.wallClock, process.clock, process.identifiers)
        graph.registerStore()
        graph.registerServer()
        graph.register((any InsightGeneratorProtocol).self) { StatisticalInsightGenerator() }
        graph.register(
            SyncEngine.self, from: (any NetworkClientProtocol).self, (any DataStoreFactory).self,
            (any WallClock).self, (any Clock<Duration>).self, (any IdentifierGenerator).self
        ) { client, stores, wallClock, clock, identifiers in
            SyncEngine(
                networkClient: client, dataStoreFactory: stores, wallClock: wallClock, clock: clock,
                identifiers: identifiers)
        }
        graph.register(
            EventStore.self, from: SyncEngine.self, (any EventRepositoryProtocol).self, (any DataStoreFactory).self,
            (any WallClock).self
        ) { engine, repository, stores, wallClock in
            EventStore(engine: engine, repository: repository, stores: stores, wallClock: wallClock)
        }
        return graph
    }

    private mutating func registerProcess(
        _ wallClock: any WallClock, _ clock: any Clock<Duration>, _ identifiers: any IdentifierGenerator
    ) {
        register((any WallClock).self) { wallClock }
        register((any Clock<Duration>).self) { clock }
        register((any IdentifierGenerator).self) { identifiers }
    }

    /// The device's store, and what reads it.
    private mutating func registerStore() {
        register(LocalStoreFactory.self, from: TrendyConfiguration.self) {
            LocalStoreFactory(path: $0.folders.store)
        }
        register((any DataStoreFactory).self, from: LocalStoreFactory.self) { $0 }
        register(StoreReader.self, from: LocalStoreFactory.self) { $0.makeReader() }
        register(EventRepository.self, from: LocalStoreFactory.self) { $0.makeRepository() }
        register((any EventRepositoryProtocol).self, from: EventRepository.self) { $0 }
        register(RecordLookup.self, from: StoreReader.self) { RecordLookup(reader: $0) }
    }

    /// Who is signed in, and the way to the server.
    private mutating func registerServer() {
        register(SignIn.self, from: TrendyConfiguration.self) { try SignIn.load($0) }
        register(APIClientFactory.self, from: TrendyConfiguration.self, (any WallClock).self) {
            APIClientFactory(configuration: $0, clock: $1)
        }
        register((any NetworkClientProtocol).self, from: APIClientFactory.self) { clients in
            // The sign-in is read when the first request is sent: local commands need none.
            DeferredNetworkClient(name: { clients.serverNameOfSignIn }) { () throws(APIError) in
                try clients.makeClientOfSignIn()
            }
        }
    }
}
