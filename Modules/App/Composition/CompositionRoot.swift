import TrendyData
public import TrendyDomain
public import TrendySync
import TrendyTerminal

/// Builds the object graph. It is the only place with a dependency container.
///
/// A part is created on first use, by the registrations of `DependencyRegistrations.production`. Local commands open no
/// connection. A property throws ``DependencyError`` if the graph is incomplete, which ``validate()`` finds beforehand,
/// or the error of the part's factory.
@MainActor
public final class CompositionRoot {
    /// The settings of this run.
    public let configuration: TrendyConfiguration
    /// The streams, clocks and ids of this process.
    public let process: ProcessContext
    /// The graph. Only the composition root resolves parts; everything else gets them by its initializer.
    public let container: DependencyContainer

    /// Creates a graph with these settings.
    ///
    /// - Parameter overrides: Replaces parts of the product, for tests and previews.
    public init(
        configuration: TrendyConfiguration, process: ProcessContext,
        overrides: (inout DependencyRegistrations) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.process = process
        var registrations = DependencyRegistrations.production(configuration: configuration, process: process)
        overrides(&registrations)
        container = DependencyContainer(registrations)
    }

    /// Refuses a graph with missing parts or cycles, before any part is created.
    ///
    /// - Throws: ``CommandFailure`` with all faults.
    public func validate() throws {
        let problems = container.validate()
        if problems.isEmpty { return }
        let text = problems.map(\.description).joined(separator: "; ")
        throw CommandFailure(.software, "internal error, please report it: \(text)")
    }

    /// The device's store.
    var stores: LocalStoreFactory { get throws { try container.resolve() } }

    /// Synchronous reads of the store.
    var reader: StoreReader { get throws { try container.resolve() } }

    /// Reads of events.
    var repository: EventRepository { get throws { try container.resolve() } }

    /// Finds the records that a person names.
    var lookup: RecordLookup { get throws { try container.resolve() } }

    /// The client of the server of the sign-in.
    public var networkClient: any NetworkClientProtocol { get throws { try container.resolve() } }

    /// The sync engine.
    public var engine: SyncEngine { get throws { try container.resolve() } }

    /// The event store for user interfaces.
    public var eventStore: EventStore { get throws { try container.resolve() } }

    /// The engine that finds patterns in the events.
    var insightGenerator: any InsightGeneratorProtocol { get throws { try container.resolve() } }

    /// The sign-in.
    var signIn: ServerSession { get throws { try container.resolve() } }

    /// Leaves the store open, for a process that ends now; see ``LocalStoreFactory/leaveOpen()``.
    func leaveStoreOpen() {
        try? stores.leaveOpen()
    }

    /// A client for a server, with the given credentials.
    func makeClient(_ server: ServerAddress, _ credentials: any CredentialStore) throws -> APIClient {
        try container.resolve(APIClientFactory.self).makeClient(server, credentials)
    }
}

extension DependencyRegistrations {
    /// The registrations of the product.
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
                networkClient: client, dataStoreFactory: stores, configuration: configuration.sync,
                wallClock: wallClock, clock: clock, identifiers: identifiers)
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

    /// The store of the device, and its readers.
    private mutating func registerStore() {
        register(LocalStoreFactory.self, from: TrendyConfiguration.self) {
            LocalStoreFactory(in: $0.folders)
        }
        register((any DataStoreFactory).self, from: LocalStoreFactory.self) { $0 }
        register(StoreReader.self, from: LocalStoreFactory.self) { $0.makeReader() }
        register(EventRepository.self, from: LocalStoreFactory.self) { $0.makeRepository() }
        register((any EventRepositoryProtocol).self, from: EventRepository.self) { $0 }
        register(RecordLookup.self, from: StoreReader.self) { RecordLookup(reader: $0) }
    }

    /// The sign-in, and the client of its server.
    private mutating func registerServer() {
        register(ServerSession.self, from: TrendyConfiguration.self) { try ServerSession.load($0) }
        register(APIClientFactory.self, from: TrendyConfiguration.self, (any WallClock).self) {
            APIClientFactory(configuration: $0, clock: $1)
        }
        register((any NetworkClientProtocol).self, from: APIClientFactory.self) { clients in
            // The sign-in is read on the first request, because local commands do not need it.
            DeferredNetworkClient(name: { clients.serverNameOfSignIn }) { () throws(APIError) in
                try clients.makeClientOfSignIn()
            }
        }
    }
}
