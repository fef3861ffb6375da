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
            sync: ShoppingSyncService(engine: engine), client: client)
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
