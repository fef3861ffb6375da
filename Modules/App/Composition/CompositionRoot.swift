import TrendyData
public import TrendyDomain
public import TrendySync
import TrendyTerminal

/// Builds the object graph: the one place that has a container.
///
/// Every part is made when it is first asked for, from what `DependencyRegistrations.production` says. What only
/// local commands use opens no connection and starts no server. A property throws ``DependencyError`` where the
/// graph lacks something, which ``validate()`` finds beforehand, or what the part's factory throws.
@MainActor
public final class CompositionRoot {
    /// The settings that the graph was made with.
    public let configuration: TrendyConfiguration
    /// What the graph takes from this process: its streams, clock and ids.
    public let process: ProcessContext
    /// The graph; only composition asks it for parts, and everything else is handed what it needs.
    public let container: DependencyContainer

    /// Makes a graph with these settings.
    ///
    /// - Parameter overrides: Registers other parts over those of the product, for tests and previews.
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

    /// Refuses a graph that lacks something or goes in circles, before anything is made of it.
    ///
    /// - Throws: ``CommandFailure`` that names everything that is wrong.
    public func validate() throws {
        let problems = container.validate()
        if problems.isEmpty { return }
        let text = problems.map(\.description).joined(separator: "; ")
        throw CommandFailure(.software, "this Trendy is put together wrongly, please report it: \(text)")
    }

    /// The device's store.
    var stores: LocalStoreFactory { get throws { try container.resolve() } }

    /// Synchronous reads of the store.
    var reader: StoreReader { get throws { try container.resolve() } }

    /// Reads of events.
    var repository: EventRepository { get throws { try container.resolve() } }

    /// Finds what a person names.
    var lookup: RecordLookup { get throws { try container.resolve() } }

    /// The way to the server of the sign-in.
    public var networkClient: any NetworkClientProtocol { get throws { try container.resolve() } }

    /// The sync engine over store and server.
    public var engine: SyncEngine { get throws { try container.resolve() } }

    /// What a user interface talks to.
    public var eventStore: EventStore { get throws { try container.resolve() } }

    /// What finds sentences that the events support.
    var insightGenerator: any InsightGeneratorProtocol { get throws { try container.resolve() } }

    /// Who is signed in where.
    var signIn: ServerSession { get throws { try container.resolve() } }

    /// Closes nothing of the store, for a process that ends now; see ``LocalStoreFactory/leaveOpen()``.
    func leaveStoreOpen() {
        try? stores.leaveOpen()
    }

    /// A client for a server, with the given credentials.
    func makeClient(_ server: ServerAddress, _ credentials: any CredentialStore) throws -> APIClient {
        try container.resolve(APIClientFactory.self).makeClient(server, credentials)
    }
}

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
        register(ServerSession.self, from: TrendyConfiguration.self) { try ServerSession.load($0) }
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
