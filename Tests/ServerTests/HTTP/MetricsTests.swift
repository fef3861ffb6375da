import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("Metrics")
struct MetricsTests {
    private func text(of server: TestServer) async throws -> String {
        let application = server.server.makeMetricsApplication(at: MetricsAddress(host: "127.0.0.1", port: 0))
        return try await application.test(.router) { client in
            try await client.execute(uri: "/metrics", method: .get) { answer in
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
                return String(buffer: answer.body)
            }
        }
    }

    /// The value of a sample.
    private func value(_ sample: String, in text: String) -> Double? {
        text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
            .flatMap { Double($0.dropFirst(sample.count + 1)) }
    }

    @Test("tell requests by the pattern of their route and the class of their status, and nothing of people")
    func requests() async throws {
        let server = try TestServer(limits: ServerLimits(requestsPerMinute: 6, signInsPerMinute: nil))
        try await server.test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            _ = try await ann.send(.get, "/event-types/\(id(1))")
            _ = try await ann.send(.get, "/event-types/\(id(2))")
            _ = try await ann.send(.get, "/event-types/\(id(1))")
            _ = try await ann.send(.get, "/made-up/ann@example.org")
            _ = try await ann.send(.patch, "/events")
            for _ in 0..<3 { _ = try await ann.send(.get, "/me/sync") }
        }
        let text = try await text(of: server)
        func count(_ method: String, _ route: String, _ status: String) -> Double? {
            value(
                "trendy_http_request_duration_seconds_count{method=\"\(method)\",route=\"\(route)\",status=\"\(status)\"}",
                in: text)
        }
        #expect(count("GET", "/api/v1/event-types/{id}", "2xx") == 2, "\(text)")
        #expect(count("GET", "/api/v1/event-types/{id}", "4xx") == 1)
        #expect(count("POST", "/api/v1/event-types", "2xx") == 1)
        #expect(count("PATCH", "/api/v1/events", "4xx") == 1)
        #expect(count("GET", "none", "4xx") == 1)
        #expect(count("GET", "/api/v1/me/sync", "2xx") == 2)
        #expect(value("trendy_http_rate_limited_total", in: text) == 1)
        #expect(value("trendy_http_requests_under_way", in: text) == 0)
        #expect(!text.contains("ann@") && !text.contains(id(1)))
    }

    @Test("tell writes, their transactions and how long they waited")
    func writes() async throws {
        let server = try TestServer()
        try await server.test { api in
            let ann = try await api.signedUp("ann@example.org")
            for number: UInt64 in 1...3 {
                _ = try await ann.send(.post, "/event-types", encoding: EventType.sample(number, name: "\(number)"))
            }
        }
        let text = try await text(of: server)
        #expect(value("trendy_writes_total", in: text) == 3)
        #expect(value("trendy_write_transactions_total", in: text) == 3)
        #expect(value("trendy_write_queue_wait_seconds_count", in: text) == 3)
        #expect(value("trendy_write_queue_length", in: text) == 0)
        #expect(value("trendy_database_connections_max{pool=\"write\"}", in: text) == 1)
        #expect(value("trendy_database_connections_in_use{pool=\"write\"}", in: text) == 0)
        #expect(value("trendy_live_watchers", in: text) == 0)
    }

    @Test("tell open connections of a server that listens")
    func connections() async throws {
        let server = try TestServer()
        try await server.test(.live) { api in
            _ = try await api.send(.get, "/health")
            let text = try await text(of: server)
            #expect(value("trendy_connections_open", in: text) == 1)
            #expect(value("trendy_connections_refused_total", in: text) == 0)
        }
    }

    @Test("have buckets that add up, with a last one for everything")
    func histograms() {
        var histogram = Histogram()
        for milliseconds in [1, 2, 30, 60_000] { histogram.observe(.milliseconds(milliseconds)) }
        var text = MetricsText()
        text.histogram("waits", "Waits.", [(labels: ["queue": "a\"b"] as MetricsText.Labels, value: histogram)])
        let lines = text.text.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["# HELP waits Waits.", "# TYPE waits histogram"])
        #expect(lines.contains(#"waits_bucket{queue="a\"b",le="0.001"} 1"#), "\(lines)")
        #expect(lines.contains(#"waits_bucket{queue="a\"b",le="0.0025"} 2"#))
        #expect(lines.contains(#"waits_bucket{queue="a\"b",le="10"} 3"#))
        #expect(lines.contains(#"waits_bucket{queue="a\"b",le="+Inf"} 4"#))
        #expect(lines.contains(#"waits_count{queue="a\"b"} 4"#))
        #expect(lines.contains { $0.hasPrefix(#"waits_sum{queue="a\"b"} 60.033"#) })
    }

    @Test("tell who uses the connections of a store and who has waited for one")
    func pools() {
        let connections = StoreConnections("read", size: 1)
        connections.count {
            #expect(connections.usage == StoreConnections.Usage(inUse: 1, waiting: 0, waits: 0))
            connections.count {
                #expect(connections.usage == StoreConnections.Usage(inUse: 1, waiting: 1, waits: 1))
            }
        }
        #expect(connections.usage == StoreConnections.Usage(inUse: 0, waiting: 0, waits: 1))
    }

    @Test("are not answered where people's devices are")
    func mainAddress() async throws {
        try await TestServer().test { api in
            let answer = try await api.client.execute(uri: "/metrics", method: .get)
            #expect(answer.status == .notFound)
        }
    }

    @Test(
        "are answered at HOST:PORT",
        arguments: [
            ("127.0.0.1:9090", MetricsAddress(host: "127.0.0.1", port: 9090)),
            ("[::1]:0", MetricsAddress(host: "::1", port: 0)), ("::1:9090", nil), ("9090", nil), (":9090", nil),
            ("localhost:", nil), ("localhost:70000", nil), ("localhost:-1", nil),
        ] as [(String, MetricsAddress?)])
    func addresses(text: String, address: MetricsAddress?) {
        #expect(MetricsAddress(text) == address)
    }
}
