import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("The feed routes")
struct FeedRouteTests {
    @Test("health is open to anyone")
    func health() async throws {
        try await TestServer().test { api in
            let answer = try await api.send(.get, "/health")
            #expect(answer.status == 200 && answer["status"] == "ok" && answer["server"] == "trendy")
            #expect(answer["version"] == "1.2.3")
        }
    }

    @Test("a server that was given no version tells that of Trendy")
    func version() {
        let folder = URL(filePath: "/dev/null/nowhere")
        #expect(ServerConfiguration(dataDirectory: folder).version == TrendyVersion.current)
        #expect(ServerConfiguration(dataDirectory: folder, version: "7").version == "7")
    }

    @Test("a new user's feed is empty and echoes the cursor")
    func empty() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            #expect(try await ann.send(.get, "/changes/latest-cursor").json == ["cursor": 0])
            let feed = try await ann.send(.get, "/changes?since=77")
            #expect(feed.json == ["changes": [], "has_more": false, "next_cursor": 77])
            #expect(try await ann.send(.get, "/changes").json == ["changes": [], "has_more": false, "next_cursor": 0])
        }
    }

    @Test("pages join into the whole feed, and each user sees his own")
    func pages() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let bob = try await api.signedUp("bob@example.org")
            for number in UInt64(1)...7 {
                _ = try await ann.send(.post, "/event-types", encoding: EventType.sample(number, name: "\(number)"))
                _ = try await bob.send(
                    .post, "/event-types", encoding: EventType.sample(100 + number, name: "\(number)"))
            }
            _ = try await ann.send(.delete, "/event-types/\(id(3))")
            var cursor: Int64 = 0
            var seen: [ChangeEntry] = []
            var isMore = true
            while isMore {
                let answer = try await ann.send(.get, "/changes?since=\(cursor)&limit=3")
                let page = try WireCoding.decode(ChangeFeedResponse.self, from: answer.body)
                #expect(page.changes.count <= 3 && page.nextCursor == page.changes.last?.id)
                seen += page.changes
                cursor = page.nextCursor
                isMore = page.hasMore
            }
            #expect(seen.map(\.entityId) == [1, 2, 4, 5, 6, 7, 3].map { id($0) })
            #expect(seen.map(\.id) == seen.map(\.id).sorted())
            #expect(seen.last?.operation == .delete && seen.last?.data == nil && seen.last?.deletedAt != nil)
            #expect(try await ann.send(.get, "/changes/latest-cursor").json == ["cursor": .integer(cursor)])
            let summary = try await ann.send(.get, "/me/sync")
            #expect(summary["latest_cursor"] == .integer(cursor) && summary["status"] == "ok")
            #expect(summary["counts"].objectValue?["event_type"] == 6)
        }
    }

    @Test("a bad cursor or limit is refused")
    func badQuery() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            for query in ["since=-1", "since=x", "limit=0", "limit=-3", "since=99999999999999999999"] {
                let refused = try await ann.send(.get, "/changes?\(query)")
                #expect(refused.status == 400, "\(query)")
                #expect(refused.problem().type == "urn:trendy:error:validation")
            }
            #expect(try await ann.send(.get, "/changes?limit=100000").status == 200)
        }
    }
}
