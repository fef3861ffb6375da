#if canImport(AsyncHTTPClient)
    import NIOCore
    import NIOHTTP1

    /// Gives requests the form in which a proxy carries them to http servers: with the whole address
    /// (RFC 9112, section 3.2.2).
    ///
    /// AsyncHTTPClient has proxies open a tunnel for such servers too, which many allow for https alone.
    final class ProxyForm: ChannelOutboundHandler {
        typealias OutboundIn = HTTPClientRequestPart
        typealias OutboundOut = HTTPClientRequestPart

        /// The header field that marks a request for a proxy. It holds the server, and never leaves.
        static let mark = "trendy-proxied-server"

        private let authorization: String?

        /// - Parameter authorization: The value of `Proxy-Authorization`; nil for none.
        init(authorization: String?) { self.authorization = authorization }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard case .head(var head) = Self.unwrapOutboundIn(data), let server = head.headers.first(name: Self.mark)
            else { return context.write(data, promise: promise) }
            head.headers.remove(name: Self.mark)
            head.headers.replaceOrAdd(name: "Host", value: server)
            head.uri = "http://\(server)\(head.uri)"
            if let authorization { head.headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization) }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        }
    }
#endif
