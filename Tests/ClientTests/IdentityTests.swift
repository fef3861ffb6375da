import Testing
import TrendyData
import TrendyDomain

@Suite("who answers, before a password is sent")
struct IdentityTests {
    private static let health = #"{"status":"ok"}"#

    @Test("a health answer that names the server is enough")
    func named() async throws {
        try await withHarness { _ in
            .json(#"{"status":"ok","server":"trendy","version":"1.0.0"}"#)
        } _: { harness async throws in
            try await harness.client.checkIdentity()
            #expect(harness.server.requests.map(\.target) == ["/health"])
        }
    }

    @Test(
        "a deployed server shows itself by a route of the records that refuses in JSON or plain text, or answers",
        arguments: [
            [ServerStep].reply(401, #"{"error":"missing token"}"#),
            .problem(401, #"{"type":"urn:trendy:error:unauthorized","title":"Unauthorized","status":401}"#),
            .reply(401, "Unauthorized\n", type: "text/plain; charset=utf-8"), .json(#"{"cursor":7}"#),
        ])
    func deployed(_ answer: [ServerStep]) async throws {
        try await withHarness { request in
            switch request.target {
            case "/health": .json(Self.health)
            case "/api/v1/changes/latest-cursor": answer
            default: .reply(404, "404 page not found", type: "text/plain")
            }
        } _: { harness async throws in
            try await harness.client.checkIdentity()
            let asked = harness.server.requests
            #expect(asked.allSatisfy { $0.headers["authorization"] == nil })
            #expect(asked.prefix(2).map(\.target) == ["/health", "/api/v1/changes/latest-cursor"])
            #expect(asked.count == 3 && asked.last?.target.hasPrefix("/api/v1/") == true)
        }
    }

    @Test(
        "a gateway that wants a key for each path, also for one that no server has, is no server of this protocol",
        arguments: [
            [ServerStep].reply(401, #"{"message":"No API key found"}"#),
            .reply(401, "Unauthorized", type: "text/plain"),
        ])
    func gateway(_ answer: [ServerStep]) async throws {
        try await withHarness { request in
            request.target == "/health" ? .json(Self.health) : answer
        } _: { harness async throws in
            #expect(await apiError { try await harness.client.checkIdentity() }?.isNotAServer == true)
        }
    }

    @Test("a page that answers every path with a health and a cursor is no server of this protocol")
    func sameEverywhere() async throws {
        try await withHarness { _ in
            .json(#"{"status":"ok","cursor":0}"#)
        } _: { harness async throws in
            let error = await apiError { try await harness.client.checkIdentity() }
            #expect(error?.isNotAServer == true, "\(String(describing: error))")
        }
    }

    @Test("a 401 of a web page is no refusal of this protocol, also where an unknown path is 404")
    func webPage() async throws {
        for answer in [[ServerStep].html(401), .reply(401, ""), .reply(401, #"{"error":"x"}"#, type: "text/html")] {
            try await withHarness { request in
                switch request.target {
                case "/health": .json(Self.health)
                case "/api/v1/changes/latest-cursor": answer
                default: .reply(404, "404 page not found", type: "text/plain")
                }
            } _: { harness async throws in
                #expect(await apiError { try await harness.client.checkIdentity() }?.isNotAServer == true)
            }
        }
    }

    @Test(
        "a page that says that it is well is no server of this protocol",
        arguments: [
            [ServerStep].json(health), .reply(404, #"{"error":"not found"}"#), .html(200), .html(401), .reply(401, ""),
            .reply(401, "{}"), .reply(401, "no", type: "text/plain"), .reply(403, #"{"error":"no"}"#), .json("[]"),
            .reply(301, "", headers: ["Location": "https://example.org/"]),
        ])
    func foreign(_ answer: [ServerStep]) async throws {
        try await withHarness { request in
            request.target == "/health" ? .json(Self.health) : answer
        } _: { harness async throws in
            #expect(await apiError { try await harness.client.checkIdentity() }?.isNotAServer == true)
        }
    }

    @Test("a server that is busy or fails has proved nothing either way")
    func busy() async throws {
        for (answer, status) in [([ServerStep].problem(503, "{}"), 503), (.reply(429, ""), 429)] {
            try await withHarness { request in
                request.target == "/health" ? .json(Self.health) : answer
            } _: { harness async throws in
                #expect(await apiError { try await harness.client.checkIdentity() }?.status == status)
            }
        }
    }
}
