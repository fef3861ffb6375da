import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

@Suite("requests through a proxy", .timeLimit(.minutes(2)))
struct ProxyTests {
    /// A client of a server that only the proxy can reach.
    private func client(
        of server: String = "http://trendy.invalid:8080", through proxy: LoopbackServer, user: String? = nil
    ) throws -> APIClient {
        var configuration = TransportConfiguration.patient
        configuration.proxy = Proxy(
            host: "127.0.0.1", port: Int(proxy.port), user: user, password: user.map { Secret("\($0):word") },
            variable: "http_proxy")
        let address = try ServerAddress(parse: server)
        let credentials = Credentials(
            server: address, email: nil, userId: "u1", accessToken: Secret("token-1"), refreshToken: nil,
            obtainedAt: ManualWallClock.defaultStart)
        return APIClient(
            server: address, credentials: InMemoryCredentialStore(credentials),
            transport: standardTransport(configuration: configuration))
    }

    @Test("the proxy gets the whole address of an http server, and who uses it, over kept connections")
    func plain() async throws {
        let proxy = try LoopbackServer { _ in .json("[]") }
        defer { proxy.stop() }
        let client = try client(through: proxy, user: "ann")
        for _ in 0..<2 { _ = try await client.getEvents(limit: 5, offset: 0) }
        for request in proxy.requests {
            #expect(request.target == "http://trendy.invalid:8080/api/v1/events?limit=5&offset=0")
            #expect(request.headers["host"] == "trendy.invalid:8080")
            #expect(request.headers["proxy-authorization"] == "Basic YW5uOmFubjp3b3Jk")
            #expect(request.headers["authorization"] == "Bearer token-1")
            #expect(request.headers.keys.allSatisfy { !$0.hasPrefix("trendy") })
        }
        #expect(proxy.requests.count == 2 && proxy.connectionCount == 1)
    }

    @Test("the live stream goes through the proxy too")
    func stream() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        let proxy = try LoopbackServer { _ in .raw(head + "event: head\ndata: {\"head\":1}\n\n") + [.close] }
        defer { proxy.stop() }
        try await client(through: proxy).watchHeads { _ in }
        #expect(proxy.requests.map(\.target) == ["http://trendy.invalid:8080/api/v1/sync/live"])
    }

    @Test("an https server is reached through a tunnel, and the token is not told to the proxy")
    func tunnel() async throws {
        let proxy = try LoopbackServer { _ in .reply(403, "") }
        defer { proxy.stop() }
        let error = await apiError {
            _ = try await client(of: "https://trendy.invalid", through: proxy, user: "ann").getEventTypes()
        }
        let request = try #require(proxy.requests.first)
        #expect("\(request.method) \(request.target)" == "CONNECT trendy.invalid:443")
        #expect(request.headers["proxy-authorization"] == "Basic YW5uOmFubjp3b3Jk")
        #expect(request.headers["authorization"] == nil)
        #expect(error?.description.contains("http://127.0.0.1:\(proxy.port) (http_proxy)") == true)
        #expect(error?.description.contains("word") == false)
    }

    @Test(
        "a proxy that wants to know who uses it is named, with how to say that",
        arguments: ["http://trendy.invalid", "https://trendy.invalid"])
    func needsUser(_ server: String) async throws {
        let proxy = try LoopbackServer { _ in .reply(407, "", headers: ["Proxy-Authenticate": "Basic"]) }
        defer { proxy.stop() }
        let error = await apiError { _ = try await client(of: server, through: proxy).getEventTypes() }
        #expect(error?.provesNoEffect == true)
        #expect(error?.description.contains("(http_proxy) asks for a user and a password") == true)
        let refused = await apiError { _ = try await client(of: server, through: proxy, user: "ann").getEventTypes() }
        #expect(refused?.description.contains("(http_proxy) does not accept the user and the password") == true)
    }

    @Test(
        "a proxy that opens no tunnel, or breaks off, is named, and the request has not left",
        arguments: [[ServerStep.close], .reply(502)])
    func noTunnel(_ answer: [ServerStep]) async throws {
        let proxy = try LoopbackServer { _ in answer }
        defer { proxy.stop() }
        let error = await apiError {
            _ = try await client(of: "https://trendy.invalid", through: proxy, user: "ann").getEventTypes()
        }
        let name = "http://127.0.0.1:\(proxy.port) (http_proxy)"
        #expect(error == .notSent("the proxy \(name) does not connect to the server"))
    }

    @Test(
        "a proxy that is not there is named, and not the server", arguments: ["http://h.invalid", "https://h.invalid"])
    func absent(_ server: String) async throws {
        let proxy = try LoopbackServer { _ in [] }
        proxy.stop()
        let error = await apiError { _ = try await client(of: server, through: proxy).getEventTypes() }
        #expect(error == .notSent("the proxy http://127.0.0.1:\(proxy.port) (http_proxy) cannot be reached"))
    }

    #if canImport(NIOSSL)
        @Test(
            "a proxy of SOCKS that refuses, breaks off or speaks HTTP is named, and the request has not left",
            arguments: [
                [[5, 0], [5, 2, 0, 1, 0, 0, 0, 0, 0, 0]], [[5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]], [[5, 0xFF]],
                [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)], [], [[5, 0]],
            ] as [[[UInt8]]])
        func socks(_ replies: [[UInt8]]) async throws {
            let proxy = try ScriptedProxy(replies)
            defer { proxy.stop() }
            var configuration = TransportConfiguration.patient
            configuration.proxy = Proxy(kind: .socks5, host: "127.0.0.1", port: proxy.port, variable: "all_proxy")
            let transport = standardTransport(configuration: configuration)
            let name = "socks5://127.0.0.1:\(proxy.port) (all_proxy)"
            for server in ["http://trendy.invalid/", "https://trendy.invalid/"] {
                let url = try #require(URL(string: server))
                let error = await apiError { _ = try await transport.send(TransportRequest(method: .post, url: url)) }
                #expect(error == .notSent("the proxy \(name) does not connect to the server"))
            }
        }

        @Test("TLS goes through the tunnel to the server, and its certificate is looked at")
        func tunnelledTLS() async throws {
            let server = try await TLSServer(showing: TestCertificates.expired)
            defer { server.stop() }
            let proxy = try TunnelProxy(to: server.port)
            defer { proxy.stop() }
            var configuration = TransportConfiguration.patient
            configuration.proxy = Proxy(host: "127.0.0.1", port: proxy.port, variable: "https_proxy")
            let url = try #require(URL(string: "https://localhost:1/"))
            let error = await apiError {
                _ = try await standardTransport(configuration: configuration).send(
                    TransportRequest(method: .get, url: url))
            }
            guard case .untrusted(.expired) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    #endif
}
