import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("A listing of large records")
struct RecordListingTests {
    /// Twelve events of about 400 kB each, and a small one.
    fileprivate static func fill(_ api: API) async throws -> [String] {
        _ = try await api.send(.post, "/event-types", encoding: EventType.sample())
        let text = String(repeating: "x", count: 10_000)
        var event = Event.sample(2)
        for number in 0..<40 { event.properties["p\(number)"] = .text(text) }
        var ids: [String] = []
        for number in 0..<13 {
            event.id = id(UInt64(100 + number))
            event.timestamp = event.timestamp.advanced(bySeconds: -60)
            if number == 12 { event.properties = [:] }
            #expect(try await api.send(.post, "/events", encoding: event).status == 201)
            ids.append(event.id)
        }
        return ids
    }

    private static func ids(_ answer: Answer) -> [String] {
        answer.array.compactMap { $0.objectValue?["id"]?.stringValue }
    }

    @Test("has every record that was asked for, so that nobody takes a page for the last one that is not")
    func whole() async throws {
        for setup in [TestingSetup.router, .live] {
            try await TestServer().test(setup) { api in
                let ann = try await api.signedUp("ann@example.org")
                let all = try await Self.fill(ann)
                #expect(try await Self.ids(ann.send(.get, "/events?limit=1000")) == all)
                #expect(try await Self.ids(ann.send(.get, "/events?limit=7&offset=3")) == Array(all[3..<10]))
                #expect(try await Self.ids(ann.send(.get, "/events?limit=3")) == Array(all[..<3]))
                #expect(try await Self.ids(ann.send(.get, "/events?offset=12")) == [all[12]])
                #expect(try await Self.ids(ann.send(.get, "/events?offset=13")) == [])
            }
        }
    }

    @Test("is held a piece at a time")
    func pieces() async throws {
        let store = try SQLiteServerStore()
        let world = try ServerWorld(store: store)
        _ = try world.create(EventType.sample())
        var event = Event.sample(2)
        for number in 0..<90 { event.properties["p\(number)"] = .text(String(repeating: "x", count: 10_000)) }
        for number in 0..<10 {
            event.id = id(UInt64(100 + number))
            _ = try world.create(event)
        }
        var listing = try world.records.listing(
            .event, userId: "ann", limit: 1000, offset: 0, beneath: nil, isActive: nil)
        var (json, pieces) = (Data(), 0)
        while !listing.isAtEnd {
            let next = try world.records.next(of: listing)
            #expect(next.piece.count < 3 << 20)
            json.append(next.piece)
            listing = next.rest
            pieces += 1
        }
        #expect(pieces >= 4)
        #expect(json == (try world.records.list(.event, userId: "ann", limit: 1000)))
        #expect(try WireCoding.decode([JSONValue].self, from: json).count == 10)
    }
}

@Suite("The memory of all requests", .timeLimit(.minutes(5)))
struct MemoryBudgetTests {
    @Test("is given back when a request ends, and refused beyond the limit")
    func limit() throws {
        let budget = MemoryBudget(100, floor: 100)
        var first: MemoryShare? = MemoryShare(budget)
        let second = MemoryShare(budget)
        try first?.take(30, for: "ann")
        try first?.take(30, for: "ann")
        try second.take(40, for: "bob")
        let problem = #expect(throws: ServerProblem.self) { try second.take(1, for: "bob") }
        #expect(problem?.kind == .unavailable && problem?.retryAfter == 1)
        #expect(budget.held == 100)
        first = nil
        #expect(budget.held == 40)
        try second.take(20, for: "bob")
    }

    @Test("has room for others beside those who take a lot, and small pieces of it for everybody")
    func shares() throws {
        let budget = MemoryBudget(100, floor: 5)
        var shares: [MemoryShare] = []
        func take(_ bytes: Int, for holder: String) throws {
            let share = MemoryShare(budget)
            try share.take(bytes, for: holder)
            shares.append(share)
        }
        for (holder, half) in [("ann", 50), ("bob", 25), ("carl", 12), ("dora", 6)] {
            try take(half, for: holder)
            #expect(throws: ServerProblem.self) { try take(1, for: holder) }
        }
        try take(5, for: "emil")
        #expect(throws: ServerProblem.self) { try take(3, for: "fay") }
        try take(2, for: "fay")
    }

    @Test("is held by bodies as they come in, and by answers until they are sent")
    func requests() async throws {
        let server = try TestServer()
        let budgets = server.server.budgets
        try await server.test(.live) { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample())
            #expect(try await ann.send(.get, "/changes").status == 200)
            #expect(budgets.bodies.held == 0)
            // Where others hold nearly all of it, too little is left for the next body and the next answer.
            func fill(_ budget: MemoryBudget, to limit: Int) throws -> [MemoryShare] {
                try (0...limit >> 16).map { number in
                    let share = MemoryShare(budget)
                    try share.take(min(limit - 10 - budget.held, 1 << 16), for: "\(number)")
                    return share
                }
            }
            let bodies = try fill(budgets.bodies, to: RequestMemory.bodies)
            let refused = try await ann.send(.post, "/event-types", encoding: EventType.sample(2))
            #expect(refused.status == 503 && refused.header("Retry-After") == "1")
            let answers = try fill(budgets.answers, to: RequestMemory.answers)
            for path in ["/changes", "/event-types", "/event-types/\(id(1))"] {
                let refused = try await ann.send(.get, path)
                #expect(refused.status == 503 && refused.header("Retry-After") == "1", "\(path)")
            }
            #expect(try await api.send(.get, "/health").status == 200)
            withExtendedLifetime((bodies, answers)) {}
        }
        while budgets.answers.held > 0 { await Task.yield() }
        #expect(budgets.bodies.held == 0)
    }

    @Test("is given back where a client takes nothing of its answer, whose connection is closed")
    func stalled() async throws {
        let server = try TestServer(timeouts: ServerTimeouts(reading: 0.3))
        let budgets = server.server.budgets
        let token = Mutex<String?>(nil)
        // Records are written without a connection: a busy machine would have no time for their bodies.
        try await server.test(.router) { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await RecordListingTests.fill(ann)
            token.withLock { $0 = ann.token }
        }
        try await server.test(.live) { api in
            let (port, token) = (try #require(api.client.port), try #require(token.withLock { $0 }))
            let request =
                "GET /api/v1/events?limit=1000 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer \(token)\r\n\r\n"
            let channel = try await RawConnection.deaf(port, request)
            while budgets.answers.held == 0 { await Task.yield() }
            while budgets.answers.held > 0 { await Task.yield() }
            try? await channel.close()
        }
    }
}
