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

    @Test("an envelope that is not there makes no sense")
    func wrongEnvelope() async throws {
        try await withHarness(routes: Self.routes) { _ in
            .json("[]")
        } _: { harness async throws in
            let error = await apiError { _ = try await harness.client.list(ShoppingItem.self, ListRequest(limit: 5)) }
            #expect(error == .malformedResponse("the answer has no 'data'"))
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
