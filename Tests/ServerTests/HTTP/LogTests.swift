import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

/// Keeps the lines of a server's log.
private final class Lines: Sendable {
    let log: ServerLog

    init(_ settings: ServerLog.Settings) {
        let box = Box()
        self.box = box
        log = ServerLog(settings, clock: ManualWallClock()) { line in box.lines.withLock { $0.append(line) } }
    }

    private final class Box: Sendable { let lines = Mutex(Data()) }
    private let box: Box

    var all: [String] {
        String(decoding: box.lines.withLock { $0 }, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    func json() throws -> [[String: JSONValue]] {
        try all.map { try WireCoding.decode([String: JSONValue].self, from: Data($0.utf8)) }
    }
}

/// A store whose writes fail with an error that a test chooses.
private final class FailingStore: ServerStore {
    struct Broken: Error, CustomStringConvertible { var description: String }

    let base: SQLiteServerStore
    let error = Mutex<(any Error)?>(nil)

    init() throws { base = try SQLiteServerStore() }

    func read<Value>(_ userId: String, _ body: (any RecordTransaction) throws -> Value) throws -> Value {
        if let error = error.withLock({ $0 }) { throw error }
        return try base.read(userId, body)
    }
    func write(_ jobs: [WriteJob]) { base.write(jobs) }
    func readAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try base.readAccounts(body)
    }
    func writeAccounts<Value>(_ body: (any AccountStorage) throws -> Value) throws -> Value {
        try base.writeAccounts(body)
    }
    func userIds(after userId: String?, limit: Int) throws -> [String] {
        try base.userIds(after: userId, limit: limit)
    }
    func flaws() throws -> StoreFlaws { try base.flaws() }
}

@Suite("The server's log")
struct LogTests {
    @Test("has one line for each request, without anything that people wrote")
    func accessLog() async throws {
        let lines = Lines(ServerLog.Settings(level: .info, format: .json))
        try await TestServer(logger: lines.log.logger).test { api in
            let ann = try await api.signedUp("ann@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType.sample(name: "secret-name"))
            let found = try await ann.send(.get, "/event-types/\(id(1))?note=secret-query")
            _ = try await ann.send(.get, "/ann@example.org/secret-path")
            let requests = try lines.json().filter { $0["message"] == .string("request") }
            #expect(requests.count == 4)
            let request = requests[2]
            #expect(request["method"] == .string("GET"))
            #expect(request["route"] == .string("/api/v1/event-types/{id}"))
            #expect(request["status"] == .integer(200))
            #expect(request["bytes"] == .integer(Int64(found.body.count)))
            #expect(request["id"]?.stringValue == found.header("X-Request-Id"))
            #expect(request["ms"] != nil)
            #expect(request["account"] == requests[1]["account"] && request["account"]?.stringValue?.count == 8)
            #expect(requests[0]["account"] == nil)
            #expect(requests[3]["route"] == .string("none"))
            let text = lines.all.joined()
            for secret in ["secret", "ann@", ann.token ?? "", id(1), "correct horse"] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }

    @Test("has no line for requests at the usual level, and has them from when the level is changed")
    func levels() async throws {
        let lines = Lines(ServerLog.Settings())
        try await TestServer(logger: lines.log.logger).test { api in
            _ = try await api.send(.get, "/health")
            #expect(lines.all == [])
            lines.log.settings.level = .info
            _ = try await api.send(.get, "/health")
            #expect(lines.all.count == 1)
            lines.log.settings.format = .json
            _ = try await api.send(.get, "/health")
            #expect(lines.all.count == 2 && lines.all[1].hasPrefix("{"))
        }
    }

    @Test(
        "tells why a request was answered with 5xx, with its id",
        arguments: [
            (FailingStore.Broken(description: "disk\non fire") as any Error & Sendable, 500, "disk\non fire", nil),
            (ServerProblem(.unavailable, "busy", retryAfter: 5, cause: "SQLITE_FULL"), 503, "busy", "SQLITE_FULL"),
        ] as [(any Error & Sendable, Int, String, String?)])
    func failures(error: any Error & Sendable, status: Int, reason: String, cause: String?) async throws {
        let lines = Lines(ServerLog.Settings(level: .error, format: .json))
        let store = try FailingStore()
        try await TestServer(store: store, logger: lines.log.logger).test { api in
            let ann = try await api.signedUp("ann@example.org")
            store.error.withLock { $0 = error }
            let answer = try await ann.send(.get, "/me/sync")
            #expect(answer.status == status)
            #expect(answer.problem().detail?.contains(cause ?? reason) == false)
            let logged = try #require(try lines.json().first)
            #expect(lines.all.count == 1)
            #expect(logged["level"] == .string("error"))
            #expect(logged["id"]?.stringValue == answer.header("X-Request-Id"))
            #expect(logged["error"] == .string(reason))
            #expect(logged["cause"]?.stringValue == cause)
        }
    }

    @Test("takes a request's id over from a caller on this machine, where it is one")
    func givenId() async throws {
        try await TestServer().test(.live) { api in
            let given = try await api.send(.get, "/health", headers: ["X-Request-ID": "proxy-7.a"])
            #expect(given.header("X-Request-Id") == "proxy-7.a")
            let refused = try await api.send(.get, "/nothing", headers: ["X-Request-ID": "proxy-8"])
            #expect(refused.problem().requestId == "proxy-8")
            for bad in ["two words", "a\"b", String(repeating: "x", count: 129), ""] {
                let answer = try await api.send(.get, "/health", headers: ["X-Request-ID": bad])
                #expect(answer.header("X-Request-Id") != bad && answer.header("X-Request-Id")?.isEmpty == false)
            }
        }
        // Without a socket nobody knows who asks.
        try await TestServer().test { api in
            let answer = try await api.send(.get, "/health", headers: ["X-Request-ID": "proxy-7"])
            #expect(answer.header("X-Request-Id") != "proxy-7")
        }
    }

    @Test("writes each event as one line, whatever is in it")
    func oneLine() throws {
        let time = Timestamp(milliseconds: 1_700_000_000_000)
        let line = LogLine(
            time: time, level: .error, message: "a\nb",
            details: ["x": .string("1\n2 \"3\" = \u{1B}[0m"), "n": .stringConvertible(7), "e": .string("")])
        #expect(line.text == "\(time) error a b e=\"\" n=7 x=\"1 2 \\\"3\\\" =  [0m\"\n")
        let json = try WireCoding.decode([String: JSONValue].self, from: Data(line.json.utf8))
        #expect(line.json.dropLast().contains("\n") == false && line.json.hasSuffix("\n"))
        #expect(json["x"] == .string("1\n2 \"3\" = \u{1B}[0m"))
        #expect(json["n"] == .integer(7) && json["message"] == .string("a\nb"))
    }
}
