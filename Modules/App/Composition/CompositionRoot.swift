import TrendyData
import TrendyDomain
public import TrendySync

/// Builds the object graph: the one place that knows which implementation stands behind which protocol.
///
/// Every part is made when it is first asked for. What only local commands use opens no connection and
/// starts no server.
@MainActor
public final class CompositionRoot {
    public let configuration: TrendyConfiguration
    public let process: ProcessContext

    /// Makes a graph with these settings.
    public init(configuration: TrendyConfiguration, process: ProcessContext) {
        self.configuration = configuration
        self.process = process
    }

    /// The device's store.
    private(set) lazy var stores = LocalStoreFactory(path: configuration.folders.store)

    /// Synchronous reads of the store.
    private(set) lazy var reader = stores.makeReader()

    /// Reads of events.
    private(set) lazy var repository = stores.makeRepository()

    /// Finds what a person names.
    private(set) lazy var lookup = RecordLookup(reader: reader)

    /// The sync engine over store and server.
    public private(set) lazy var engine = SyncEngine(
        networkClient: makeNetworkClient(), dataStoreFactory: stores, wallClock: process.wallClock,
        clock: process.clock,
        identifiers: process.identifiers)

    /// What a user interface talks to.
    public private(set) lazy var eventStore = EventStore(engine: engine, repository: repository, stores: stores)

    /// Who is signed in where.
    func signIn() throws -> SignIn {
        if let loaded = loadedSignIn { return loaded }
        let signIn = try SignIn.load(configuration)
        loadedSignIn = signIn
        return signIn
    }

    private var loadedSignIn: SignIn?

    /// A client for a server, with the given credentials.
    func makeClient(_ server: ServerAddress, _ credentials: any CredentialStore) -> APIClient {
        APIClient(
            server: server, credentials: credentials,
            transport: standardTransport(configuration: configuration.transport), clock: process.wallClock)
    }

    private func makeNetworkClient() -> DeferredNetworkClient {
        let configuration = configuration
        let clock = process.wallClock
        return DeferredNetworkClient { () throws(APIError) -> any NetworkClientProtocol in
            let signIn: SignIn
            do { signIn = try SignIn.load(configuration) } catch { throw APIError.unauthorized("\(error)") }
            guard let server = signIn.server else { throw APIError.unauthorized("no server is set") }
            return APIClient(
                server: server, credentials: signIn.credentials,
                transport: standardTransport(configuration: configuration.transport), clock: clock)
        }
    }
}

extension TrendyConfiguration {
    /// The bounds of requests: the time in all is twice that of silence.
    fileprivate var transport: TransportConfiguration {
        guard let timeout else { return TransportConfiguration() }
        return TransportConfiguration(idleTimeout: .seconds(timeout), totalTimeout: .seconds(2 * timeout))
    }
}
