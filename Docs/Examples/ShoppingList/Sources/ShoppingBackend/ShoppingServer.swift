import ShoppingRecords
public import TrendyServer

extension RecordRoute {
    /// The one route more: `/api/v1/shopping-items`, with batches.
    public static let shoppingItems = RecordRoute(
        RecordKind(ShoppingItem.self), path: "shopping-items", batchMember: "shopping_items")
}

/// Trendy's server, which keeps shopping items too.
public enum ShoppingServer {
    /// Opens the server's data; `run` of what comes back serves it.
    public static func make(_ configuration: ServerConfiguration) throws -> TrendyHTTPServer {
        try TrendyHTTPServer(configuration, recordRoutes: .trendy + [.shoppingItems])
    }
}
