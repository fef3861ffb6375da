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
    var signIn: SignIn { get throws { try container.resolve() } }

    /// Closes nothing of the store, for a process that ends now; see ``LocalStoreFactory/leaveOpen()``.
    func leaveStoreOpen() {
        try? stores.leaveOpen()
    }

    /// A client for a server, with the given credentials.
    func makeClient(_ server: ServerAddress, _ credentials: any CredentialStore) throws -> APIClient {
        try container.resolve(APIClientFactory.self).makeClient(server, credentials)
    }
}
