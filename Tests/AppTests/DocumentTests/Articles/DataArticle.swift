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
