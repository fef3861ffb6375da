public import Foundation
public import TrendyData
public import TrendyDomain
public import TrendySync

/// The chores on one device: a store, a client and the engine over them.
public struct ChoreBook: Sendable {
    /// Writes and syncs.
    public let engine: SyncEngine
    /// Signs up and in.
    public let client: APIClient
    private let stores: LocalStoreFactory

    /// Opens the chores in a folder.
    public init(home: URL, server: ServerAddress) throws {
        stores = LocalStoreFactory(
            url: home.appending(path: "chores.sqlite"), schema: try EntitySchema([Chore.self]),
            migrations: [
                StoreMigration("chore-1") {
                    try $0.createTable(
                        for: Chore.self, [.text("title"), .integer("minutes"), .boolean("is_done")])
                }
            ])
        client = APIClient(
            server: server, credentials: FileCredentialStore(file: home.appending(path: "credentials.json")),
            routes: .chores)
        engine = SyncEngine(networkClient: client, dataStoreFactory: stores, schema: stores.schema)
    }

    /// The chores with all that is known of them, the oldest first.
    public func chores() throws -> [LocalRecord<Chore>] {
        try stores.makeReader().fetch(Chore.self)
    }

    /// The changes that wait, were refused, or were settled lately.
    public func mutations() throws -> [PendingMutation] {
        try stores.makeReader().mutations()
    }
}
