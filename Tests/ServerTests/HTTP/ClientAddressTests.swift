import HTTPTypes
import HummingbirdTesting
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("The address of a client")
struct ClientAddressTests {
    private let rule = ClientAddress(trustedProxies: ["10.0.0.0/8", "::1", "fd00::/8"].compactMap { AddressBlock($0) })

    @Test(
        "is the last on the way that is no trusted proxy",
        arguments: [
            ("203.0.113.9, 198.51.100.7, 10.1.1.1", "198.51.100.7"), ("198.51.100.7:4711", "198.51.100.7"),
            ("2001:db8::1", "2001:db8::1"), ("[2001:db8::1]:443", "2001:db8::1"), ("fd00::2", "fd00::2"),
            ("203.0.113.9,fd00::2", "203.0.113.9"), ("::ffff:198.51.100.7", "198.51.100.7"),
            ("203.0.113.9, unknown", "10.0.0.1"), ("203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"), ("", "10.0.0.1"),
            ("198.51.100.7, ", "10.0.0.1"), ("10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ])
    func older(header: String, client: String) throws {
        #expect(try find("10.0.0.1", ["X-Forwarded-For": header]) == IPAddress(client))
    }

    @Test(
        "is read from Forwarded too",
        arguments: [
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            (#"For="[2001:db8:cafe::17]:4711""#, "2001:db8:cafe::17"), (#"for="192.0.2.43:47011""#, "192.0.2.43"),
            ("for=203.0.113.9, for=198.51.100.7;proto=https", "198.51.100.7"), ("for=unknown", "10.0.0.1"),
            ("for=_hidden", "10.0.0.1"), ("for=203.0.113.9, proto=http", "10.0.0.1"),
            (#"for="203.0.113.9, for=1.1.1.1", for=198.51.100.7"#, "198.51.100.7"),
            (#"host="a,b;for=1.1.1.1";for=192.0.2.60"#, "192.0.2.60"), (#"for="a\",for=1.1.1.1"#, "10.0.0.1"),
        ])
    func forwarded(header: String, client: String) throws {
        #expect(try find("10.0.0.1", ["Forwarded": header]) == IPAddress(client))
    }

    @Test("is the peer itself where that is not trusted, whatever it claims")
    func untrusted() throws {
        for name in ["X-Forwarded-For", "Forwarded"] {
            #expect(try find("198.51.100.7", [name: "for=1.1.1.1"]) == IPAddress("198.51.100.7"))
            #expect(try find("198.51.100.7", [name: "1.1.1.1"]) == IPAddress("198.51.100.7"))
        }
    }

    @Test("is the proxy where its headers disagree")
    func disagreement() throws {
        let headers = ["X-Forwarded-For": "198.51.100.7", "Forwarded": "for=1.1.1.1"]
        #expect(try find("10.0.0.1", headers) == IPAddress("10.0.0.1"))
        let same = ["X-Forwarded-For": "1.1.1.1", "Forwarded": "for=1.1.1.1"]
        #expect(try find("::ffff:10.0.0.1", same) == IPAddress("1.1.1.1"))
    }

    @Test("counts by /64 in IPv6 and alone in IPv4")
    func keys() {
        #expect(IPAddress("2001:db8::1")?.limitKey == IPAddress("2001:db8::ffff:0:0:2")?.limitKey)
        #expect(IPAddress("2001:db8::1")?.limitKey != IPAddress("2001:db8:0:1::1")?.limitKey)
        #expect(IPAddress("192.0.2.1")?.limitKey != IPAddress("192.0.2.2")?.limitKey)
    }

    @Test(
        "blocks are told from what is none",
        arguments: [
            "", "x", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "::/129", "10.0.0.0/8/8", "1.2.3.4:5",
        ])
    func bad(text: String) { #expect(AddressBlock(text) == nil) }

    @Test("counts the sign-ins of clients behind a trusted proxy apart, and of others together")
    func limit() async throws {
        for isTrusted in [true, false] {
            let proxies = isTrusted ? ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) } : []
            let limits = ServerLimits(signInsPerMinute: 1)
            try await TestServer(limits: limits, trustedProxies: proxies).test(.live) { api in
                var statuses: [Int] = []
                for client in ["198.51.100.7", "198.51.100.8", "198.51.100.7"] {
                    let headers = ["X-Forwarded-For": client]
                    let body = #"{"email":"\#(client)@example.org","password":"wrong horse"}"#
                    statuses.append(try await api.send(.post, "/auth/login", body, headers: headers).status)
                }
                #expect(statuses == (isTrusted ? [401, 401, 429] : [401, 429, 429]))
            }
        }
    }

    @Test("does not matter for refreshes, which count for each sign-in")
    func refreshes() async throws {
        try await TestServer(limits: ServerLimits(signInsPerMinute: 2)).test(.live) { api in
            var statuses: [[Int]] = []
            for name in ["ann", "bob"] {
                let body = #"{"email":"\#(name)@example.org","password":"correct horse"}"#
                var answer = try await api.send(.post, "/auth/signup", body)
                var own: [Int] = []
                for _ in 0..<3 {
                    let token = answer["refresh_token"].stringValue ?? ""
                    answer = try await api.send(.post, "/auth/refresh", #"{"refresh_token":"\#(token)"}"#)
                    own.append(answer.status)
                }
                statuses.append(own)
            }
            #expect(statuses == [[200, 200, 429], [200, 200, 429]])
            var unknown: [Int] = []
            for _ in 0..<3 {
                unknown.append(try await api.send(.post, "/auth/refresh", #"{"refresh_token":"x"}"#).status)
            }
            #expect(unknown == [401, 401, 429])
        }
    }

    private func find(_ peer: String, _ headers: [String: String]) throws -> IPAddress {
        var fields = HTTPFields()
        for (name, value) in headers { fields.set(name, value) }
        return rule.client(peer: try #require(IPAddress(peer)), fields)
    }

    @Test("that may name requests are trusted proxies and this machine")
    func trustedPeers() throws {
        let address = ClientAddress(trustedProxies: [try #require(AddressBlock("10.0.0.0/8"))])
        for peer in ["10.1.2.3", "::ffff:10.1.2.3", "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(address.isTrusted(peer: peer), "\(peer)")
        }
        for peer in ["11.0.0.1", "192.0.2.1", "::2", "1::1", "unknown", ""] {
            #expect(!address.isTrusted(peer: peer), "\(peer)")
        }
    }
}
