public import Foundation
public import ShoppingRecords
public import TrendyData
import TrendyDomain
import TrendySync

/// Where the list lives.
public struct ShoppingListConfiguration: Sendable {
    /// The folder of the store and of the sign-in; made where there is none.
    public var home: URL
    /// The server to sync with.
    public var server: ServerAddress

    /// Names the folder and the server.
    public init(home: URL, server: ServerAddress) {
        self.home = home
        self.server = server
    }
}

/// The parts of the module, put together.
public struct ShoppingListModule: Sendable {
    /// The items.
    public let repository: any ShoppingListRepository
    /// Brings them and the server together.
    public let sync: any SyncService
    /// Signs up, in and out.
    public let client: APIClient
    let ownership: StoreOwnership

    let server: ServerAddress

    /// Makes sure that somebody new may have the folder: it holds nobody's list, or nothing at all.
    public func requireRoom() throws { try ownership.requireRoom() }

    /// Makes the folder that of whoever has just signed in; where it has another person's list, the sign-in ends.
    ///
    /// - Throws: `StoreOwnershipError`, or `APIError` where the server does not say who it is.
    public func keepApart() async throws {
        do {
            let me = try await client.me()
            try ownership.claim(for: StoreOwner(userId: me.id, email: me.email, server: server.description))
        } catch {
            try? await client.logout()
            throw error
        }
    }

    /// Makes a view model over these parts.
    @MainActor
    public func makeViewModel() -> ShoppingListViewModel {
        ShoppingListViewModel(repository: repository, syncService: sync)
    }
}

/// Puts the module together: the one place that knows which implementation stands behind which protocol.
public enum ShoppingListModuleFactory {
    /// The module over SQLite and HTTP.
    public static func production(_ configuration: ShoppingListConfiguration) throws -> ShoppingListModule {
        let stores = try makeStores(in: configuration.home)
        let client = APIClient(
            server: configuration.server,
            credentials: FileCredentialStore(file: configuration.home.appending(path: "credentials.json")),
            routes: .shopping)
        let engine = SyncEngine(networkClient: client, dataStoreFactory: stores, schema: stores.schema)
        return ShoppingListModule(
            repository: SQLiteShoppingListRepository(engine: engine, reader: stores.makeReader()),
            sync: ShoppingSyncService(engine: engine), client: client,
            ownership: StoreOwnership(dataStoreFactory: stores, schema: stores.schema),
            server: configuration.server)
    }

    /// The store in a folder, for those who look into it beside the module.
    public static func makeStores(in home: URL) throws -> LocalStoreFactory {
        LocalStoreFactory(
            url: home.appending(path: "shopping.sqlite"), schema: try .shopping(), migrations: [.shoppingItems])
    }

    /// A view model over mocks, and the mocks.
    @MainActor
    public static func testing(
        with mockItems: [ShoppingItem] = []
    ) -> (viewModel: ShoppingListViewModel, repository: MockShoppingListRepository, sync: MockSyncService) {
        let repository = MockShoppingListRepository(preloadedItems: mockItems)
        let sync = MockSyncService()
        return (ShoppingListViewModel(repository: repository, syncService: sync), repository, sync)
    }
}
