/// The transport for this system: AsyncHTTPClient on Linux, URLSession elsewhere.
///
/// Docs/decisions/0010 says why they differ.
public func standardTransport(
    configuration: TransportConfiguration = TransportConfiguration()
) -> any HTTPTransport {
    #if canImport(AsyncHTTPClient)
        AsyncHTTPClientTransport(configuration: configuration)
    #else
        URLSessionTransport(configuration: configuration)
    #endif
}
