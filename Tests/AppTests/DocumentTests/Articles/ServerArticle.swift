import TrendyServer

func makeServer(_ configuration: ServerConfiguration) throws -> TrendyHTTPServer {
    let books = RecordRoute(RecordKind(Book.self), path: "books")
    return try TrendyHTTPServer(configuration, recordRoutes: [books])
}
