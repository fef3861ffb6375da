import TrendyData
import TrendyDomain

extension StoreMigration {
    static let books = StoreMigration("book-1") {
        try $0.createTable(for: Book.self, [.text("title"), .text("author"), .boolean("is_read")])
    }
}

extension RouteTable {
    static let books = RouteTable(records: [Book.entityType: RecordRoutes(path: "/books")])
}

extension StoreMigration {
    static let bookRatings = StoreMigration("book-2") {
        try $0.addColumn(.integer("rating"), to: Book.entityType, default: 0)
    }
}

func openStore(at path: String) throws -> LocalStoreFactory {
    LocalStoreFactory(path: path, schema: try EntitySchema([Book.self]), migrations: [.books])
}

func connect(to address: String) throws -> APIClient {
    APIClient(server: try ServerAddress(parse: address), credentials: InMemoryCredentialStore(), routes: .books)
}

extension RouteTable {
    static let library = RouteTable(
        basePath: "/api/v1", account: .absent, tokenHeader: TokenHeader(name: "X-API-Key"),
        records: [
            Book.entityType: RecordRoutes(
                path: "/books", paging: .offset(limit: 100), updateMethod: .patch,
                recordBody: .enveloped(in: "book"), updateBody: changes)
        ])

    private static let changes = BodyMapping(
        request: BodyMapping.enveloped(in: "changes").request, response: BodyMapping.unwrapping("book").response)
}

func connect(to address: String, apiKey: String) throws -> APIClient {
    let server = try ServerAddress(parse: address, basePath: RouteTable.library.basePath)
    let key = EnvironmentCredentialStore(token: apiKey, server: server)
    return APIClient(server: server, credentials: key, routes: .library)
}
