import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendyTestSupport

/// A kind of record that only this test knows.
private struct ShoppingItem: SyncEntity {
    static let entityType: EntityType = "shopping_item"
    static let fields = CodingKeys.allCases.map(\.stringValue)
    var id: String
    var name: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name
    }
}

@Suite("another backend, by configuration alone")
struct OtherBackendTests {
    private static let routes = RouteTable(
        basePath: "/rest", healthPath: "/alive", changesPath: "/log", latestCursorPath: "/log/end",
        records: [
            ShoppingItem.entityType: RecordRoutes(
                path: "/items", paging: .offset(limit: 20, limitParameter: "count", offsetParameter: "start"),
                updateMethod: .patch, listBody: .unwrapping("data", "items"),
                recordBody: BodyMapping(
                    request: { ["item": $0] }, response: { try BodyMapping.unwrapping("item").response!($0) }))
        ],
        changesBody: BodyMapping(response: { body in
            [
                "changes": body.objectValue?["entries"] ?? [], "next_cursor": body.objectValue?["end"] ?? 0,
                "has_more": false,
            ]
        }))

    @Test("paths, parameters, methods and envelopes are its own")
    func envelopes() async throws {
        let item = ShoppingItem(id: testId(1), name: "Milk")
        let json = #"{"id":"\#(item.id)","name":"Milk"}"#
        try await withHarness(routes: Self.routes) { request in
            switch request.target {
            case "/alive": .json(#"{"status":"ok"}"#)
            case "/rest/log?since=3&limit=10":
                .json(
                    #"{"entries":[{"id":4,"entity_type":"shopping_item","operation":"delete","entity_id":"x"}],"end":4}"#
                )
            case _ where request.method == "GET": .json(#"{"data":{"items":[\#(json)]}}"#)
            default: .json(#"{"item":\#(json)}"#)
            }
        } _: { harness async throws in
            let client = harness.client
            try await client.checkHealth()
            #expect(
                try await client.list(ShoppingItem.self, ListRequest(limit: 50, offset: 40)).records == [Remote(item)])
            #expect(try await client.create(CreateRequest(item), idempotencyKey: nil).entity == item)
            _ = try await client.update(
                ShoppingItem.self, id: item.id, Patch(changes: ["name": "Oats"]), idempotencyKey: nil)
            #expect(try await client.getChanges(since: 3, limit: 10).changes.map(\.id) == [4])
            #expect(client.capabilities(of: ShoppingItem.entityType) == RouteCapabilities(listing: .paged(limit: 20)))
            #expect(
                harness.server.requests.map { "\($0.method) \($0.target)" } == [
                    "GET /alive", "GET /rest/items?count=20&start=40", "POST /rest/items",
                    "PATCH /rest/items/\(item.id)",
                    "GET /rest/log?since=3&limit=10",
                ])
            #expect(harness.server.requests[2].text == #"{"item":\#(json)}"#)
            #expect(harness.server.requests[3].text == #"{"item":{"name":"Oats"}}"#)
        }
    }

    /// A backend that has nothing of the contract's but its meaning.
    private static let foreign: RouteTable = {
        let names = BodyMapping.renaming(["name": "label", "updated_at": "modified"])
        return RouteTable(
            basePath: "/v9", healthPath: "/ping", changesPath: "/journal",
            changesParameters: ChangesParameters(cursor: "after", limit: "max"), latestCursorPath: "/journal/end",
            account: AccountRoutes(login: "/sessions", refresh: "/sessions/renew", me: "/self"),
            tokenHeader: TokenHeader(name: "X-Session"),
            records: [
                ShoppingItem.entityType: RecordRoutes(
                    path: "/things",
                    paging: .token(limit: 2, limitParameter: "size", tokenParameter: "page", next: ["meta", "next"]),
                    listBody: .each(names).inside(.unwrapping("items")),
                    recordBody: names.inside(.enveloped(in: "data"))
                )
            ],
            changesBody: BodyMapping.member("changes", .each(.member("data", names)))
                .inside(.renaming(["changes": "entries", "next_cursor": "end", "has_more": "more"])),
            latestCursorBody: .unwrapping("data"),
            healthBody: BodyMapping(response: { ["status": $0.objectValue?["alive"] == true ? "ok" : "ill"] }),
            accountBody: BodyMapping.renaming([
                "email": "login", "password": "secret", "access_token": "token", "refresh_token": "renewal",
            ]).inside(.enveloped(in: "data")),
            problemBody: .member("detail", .unwrapping("text")).inside(.renaming(["detail": "problem"])))
    }()

    @Test("fields have names of its own, in requests, answers and the feed")
    func names() async throws {
        let item = ShoppingItem(id: testId(1), name: "Milk")
        // Its own 'name' is something else than ours.
        let json = #"{"id":"\#(item.id)","label":"Milk","modified":"2026-01-01T00:00:00Z","name":"row 7"}"#
        let entry = #"{"id":4,"entity_type":"shopping_item","operation":"update","entity_id":"x","data":\#(json)}"#
        try await withHarness(routes: Self.foreign) { request in
            request.target.hasPrefix("/v9/journal")
                ? .json(#"{"entries":[\#(entry)],"end":4,"more":false}"#) : .json(#"{"data":\#(json)}"#)
        } _: { harness async throws in
            let made = try await harness.client.create(CreateRequest(item), idempotencyKey: nil)
            #expect(made.entity == item)
            #expect(made.server.updatedAt?.description == "2026-01-01T00:00:00.000Z")
            #expect(harness.server.requests[0].text == #"{"data":{"id":"\#(item.id)","label":"Milk"}}"#)
            let page = try await harness.client.getChanges(since: 3, limit: 10)
            #expect(page.nextCursor == 4 && !page.hasMore)
            #expect(page.changes.first?.data?.objectValue?["name"] == "Milk")
            #expect(harness.server.requests[1].target == "/v9/journal?after=3&max=10")
        }
    }

    @Test("a list whose pages name the next one is followed to its end")
    func tokenPaging() async throws {
        let items = (1...5).map { ShoppingItem(id: testId($0), name: "n\($0)") }
        func page(_ range: Range<Int>, next: String) -> String {
            let list = items[range].map { #"{"id":"\#($0.id)","label":"\#($0.name)"}"# }.joined(separator: ",")
            return #"{"items":[\#(list)],"meta":{"next":\#(next)}}"#
        }
        let pages = [
            "/v9/things?size=2": page(0..<2, next: #""b c""#), "/v9/things?size=2&page=b%20c": page(2..<4, next: "7"),
            "/v9/things?size=2&page=7": page(4..<5, next: "null"),
        ]
        try await withHarness(routes: Self.foreign) { request in
            .json(pages[request.target] ?? "{}")
        } _: { harness async throws in
            let list = try await harness.client.list(ShoppingItem.self, ListRequest(limit: .max))
            #expect(list.records.map(\.entity) == items)
            // It knows the end of the list from the server.
            let capabilities = harness.client.capabilities(of: ShoppingItem.entityType)
            #expect(capabilities == RouteCapabilities(listing: .whole, fillsPages: true))
        }
    }

    @Test("a list whose pages lead back to one of them makes no sense")
    func circle() async throws {
        try await withHarness(routes: Self.foreign) { _ in
            .json(#"{"items":[],"meta":{"next":"a"}}"#)
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.list(ShoppingItem.self, ListRequest(limit: 5)) }
            #expect(error == .malformedResponse("the list names the page 'a' twice"))
            #expect(harness.server.requests.count == 2)
        }
    }

    @Test("sign-in, renewal and account have its paths, names and header")
    func accounts() async throws {
        try await withHarness(refreshToken: "old", routes: Self.foreign) { request in
            switch (request.target, request.headers["x-session"]) {
            case ("/v9/sessions", nil): .json(#"{"data":{"token":"t1","renewal":"r1"}}"#)
            case ("/v9/sessions/renew", nil): .json(#"{"data":{"token":"t2"}}"#)
            case ("/v9/self", "t2"): .json(#"{"data":{"id":"u1","login":"ann"}}"#)
            default: .reply(401, #"{"problem":{"text":"who?"}}"#)
            }
        } _: { harness async throws in
            let signedIn = try await harness.client.login(email: "ann", password: "pw")
            #expect(signedIn.accessToken.value == "t1" && signedIn.refreshToken?.value == "r1")
            #expect(try await harness.client.me() == AccountInfo(id: "u1", email: "ann"))
            #expect(harness.server.requests[0].text == #"{"data":{"login":"ann","secret":"pw"}}"#)
            #expect(harness.server.requests[2].text == #"{"data":{"renewal":"r1"}}"#)
            #expect(harness.server.requests.allSatisfy { $0.headers["authorization"] == nil })
        }
    }

    @Test("a change may have an envelope of its own, and its answer that of a record")
    func changes() async throws {
        let item = ShoppingItem(id: testId(1), name: "Milk")
        var routes = Self.routes
        let record = routes.records[ShoppingItem.entityType]?.recordBody
        routes.records[ShoppingItem.entityType]?.updateBody = BodyMapping(
            request: { ["changes": $0] }, response: record?.response)
        try await withHarness(routes: routes) { _ in
            .json(#"{"item":{"id":"\#(item.id)","name":"Oats"}}"#)
        } _: { harness async throws in
            let patch = Patch<ShoppingItem>(changes: ["name": "Oats"])
            let changed = try await harness.client.update(ShoppingItem.self, id: item.id, patch, idempotencyKey: nil)
            #expect(changed.entity.name == "Oats")
            _ = try await harness.client.create(CreateRequest(item), idempotencyKey: nil)
            let bodies = harness.server.requests.map(\.text)
            #expect(bodies == [#"{"changes":{"name":"Oats"}}"#, #"{"item":{"id":"\#(item.id)","name":"Milk"}}"#])
        }
    }

    @Test("a list that is said to be whole is asked for its rest with the contract's parameter")
    func wholeListFromOffset() async throws {
        let routes = RouteTable(records: [ShoppingItem.entityType: RecordRoutes(path: "/items")])
        try await withHarness(routes: routes) { _ in
            .json("[]")
        } _: { harness async throws in
            _ = try await harness.client.list(ShoppingItem.self, ListRequest(limit: .max))
            _ = try await harness.client.list(ShoppingItem.self, ListRequest(limit: .max, offset: 50))
            #expect(harness.server.requests.map(\.target) == ["/api/v1/items", "/api/v1/items?offset=50"])
        }
    }

    @Test("one without sign-in knows the sender by a fixed key, and is not asked for what it does not have")
    func fixedKey() async throws {
        let routes = RouteTable(
            basePath: "", account: .absent, tokenHeader: TokenHeader(name: "X-API-Key"),
            records: [ShoppingItem.entityType: RecordRoutes(path: "/items")])
        let server = try LoopbackServer { _ in .json("[]") }
        defer { server.stop() }
        let address = try ServerAddress(parse: server.url + "/api/v1", basePath: routes.basePath)
        let client = APIClient(
            server: address, credentials: EnvironmentCredentialStore(token: "key-1", server: address), routes: routes,
            transport: standardTransport(configuration: .patient))
        _ = try await client.list(ShoppingItem.self, ListRequest(limit: .max))
        #expect(server.requests.map(\.target) == ["/api/v1/items"])
        #expect(server.requests.map { $0.headers["x-api-key"] } == ["key-1"])
        #expect(await apiError { _ = try await client.me() }?.isMalformed == true)
        #expect(await apiError { _ = try await client.login(email: "a", password: "b") }?.isMalformed == true)
        #expect(server.requests.count == 1)
    }

    @Test("one without a route for it is not told that somebody signs out")
    func signOut() async throws {
        let routes = RouteTable(account: .absent, records: [:])
        try await withHarness(routes: routes) { _ in
            .json("{}")
        } _: { harness async throws in
            try await harness.client.logout()
            #expect(harness.server.requests.isEmpty)
            #expect(try harness.credentials.load() == nil)
        }
    }

    @Test("its health and its refusals are understood; what is before it may refuse in words of its own")
    func healthAndProblems() async throws {
        try await withHarness(routes: Self.foreign) { request in
            switch request.target {
            case "/ping": .json(#"{"alive":true}"#)
            case "/v9/journal/end": .reply(502, #"{"error":"gateway"}"#)
            default: .reply(422, #"{"problem":{"text":"no label"}}"#)
            }
        } _: { harness async throws in
            try await harness.client.checkHealth()
            let item = ShoppingItem(id: testId(1), name: "Milk")
            let refused = await apiError {
                _ = try await harness.client.create(CreateRequest(item), idempotencyKey: nil)
            }
            #expect(refused?.problem?.detail == "no label")
            let failed = await apiError { _ = try await harness.client.getLatestCursor() }
            #expect(failed?.problem?.detail == "gateway")
        }
        try await withHarness(routes: Self.foreign) { _ in
            .json(#"{"alive":false}"#)
        } _: { harness async throws in
            let error = await apiError { try await harness.client.checkHealth() }
            #expect(error == .notAServer("its health check says 'ill' instead of 'ok'"))
        }
    }

    @Test("an envelope that is not there makes no sense")
    func wrongEnvelope() async throws {
        try await withHarness(routes: Self.routes) { _ in
            .json("[]")
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.list(ShoppingItem.self, ListRequest(limit: 5)) }
            #expect(error?.isMalformed == true && error?.description.hasSuffix(", the answer has no 'data'") == true)
            #expect(error?.description.contains("makes no sense: GET /") == true)
        }
    }

    @Test("a kind without routes is refused before anything is sent")
    func unknownKind() async throws {
        try await withHarness { _ in
            .json("[]")
        } _: { harness async throws in
            #expect(
                await apiError { _ = try await harness.client.list(ShoppingItem.self, ListRequest(limit: 5)) }?
                    .isMalformed == true)
            #expect(harness.server.requests.isEmpty)
        }
    }
}
