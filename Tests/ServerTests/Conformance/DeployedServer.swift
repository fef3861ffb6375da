import Foundation
import Synchronization
import TrendyConformance
import TrendyDomain
import TrendyTestSupport

/// Our server behind a layer that makes it differ in one of the ways of deployed servers.
struct DeployedServer: Sendable {
    let way: KnownDeviation
    let inner: ConformanceTarget.Send
    let clock: ManualWallClock
    private let memory = DeployedMemory()
    private let late = LateCommits()

    init(_ way: KnownDeviation, clock: ManualWallClock, over inner: @escaping ConformanceTarget.Send) {
        self.way = way
        self.clock = clock
        self.inner = inner
    }

    func send(_ request: WireRequest) async throws -> WireAnswer {
        if let refusal = try await refusal(of: request) { return refusal }
        let isEventPost = way == .feedEntriesComeLate && request.method == .post && request.resource == "/events"
        if isEventPost { late.begin() }
        let answer = try await inner(changed(request))
        if isEventPost { await late.finish(Self.json(request.body)["id"].stringValue ?? "") }
        return try await changed(answer, to: request)
    }

    static func plain(_ status: Int, _ text: String) -> WireAnswer {
        WireAnswer(
            status: status, headers: ["Content-Type": "application/json"], body: Data(#"{"error":"\#(text)"}"#.utf8))
    }

    // MARK: Before the server

    private func refusal(of request: WireRequest) async throws -> WireAnswer? {
        let body = Self.json(request.body)
        switch (way, request.method, request.resource) {
        case (.noRefresh, .post, "/auth/refresh"):
            return Self.plain(404, "404 page not found")
        case (.noExchange, .post, "/sync"):
            return Self.plain(404, "404 page not found")
        case (.outageLooksLikeSignedOut, _, let resource) where !resource.hasPrefix("/auth/log"):
            guard memory.isOut(request) else { return nil }
            // As the server refuses who brings no token: that errors look otherwise is another deviation.
            var unsigned = request
            unsigned.headers["Authorization"] = nil
            return try await inner(unsigned)
        case (.batchIsAllOrNothing, .post, "/events/batch"):
            let sent = body["events"].elements.map { $0["id"] }
            let events = Self.json(try await ask("/events?limit=1000", request).body).elements
            let isKnown = events.contains { sent.contains($0["id"]) }
            return isKnown ? Self.plain(500, "duplicate key value violates unique constraint") : nil
        case (.typesArePlainInserts, .post, "/event-types") where !memory.isKnownKey(of: request):
            let types = Self.json(try await ask("/event-types", request).body).elements
            let isKnown = types.contains { $0["id"] == body["id"] || $0["name"] == body["name"] }
            return isKnown ? Self.plain(500, "duplicate key value violates unique constraint") : nil
        case (.timestampsCollide, .post, "/events"):
            let events = Self.json(try await ask("/events?limit=1000", request).body).elements
            let collides = events.contains { event in
                event["id"] != body["id"] && event["event_type_id"] == body["event_type_id"]
                    && event["timestamp"] == body["timestamp"]
            }
            return collides ? Self.plain(409, "there is an event at this time") : nil
        case (.refusalsRestartTheWindow, _, _) where request.headers["Authorization"] != nil:
            return memory.admits(request, now: clock.now()) ? nil : Self.tooMany
        default: return nil
        }
    }

    private static let tooMany: WireAnswer = {
        let problem = ProblemDetails(
            type: "urn:trendy:error:rate_limit", title: "Too many", status: 429, detail: "too many", requestId: "r",
            userMessage: "Wait.", retryAfter: 60)
        return WireAnswer(
            status: 429, headers: ["Content-Type": "application/problem+json", "Retry-After": "60"],
            body: (try? WireCoding.encode(problem)) ?? Data())
    }()

    private func changed(_ request: WireRequest) async throws -> WireRequest {
        var request = request
        switch (way, request.method, request.resource) {
        case (.deletionsHaveNoKeys, .delete, _), (.batchesHaveNoKeys, .post, "/events/batch"):
            request.headers["Idempotency-Key"] = nil
        case (.postDropsPlace, .post, "/events"):
            let dropped = ["geofence_id", "location_latitude", "location_longitude", "location_name"]
            guard let fields = Self.json(request.body).objectValue else { break }
            request.body = try WireCoding.encode(fields.filter { !dropped.contains($0.key) })
        case (.cascadesAreNotLogged, .delete, let resource) where resource.hasPrefix("/event-types/"):
            let events = Self.json(try await ask("/events?limit=1000", request).body).elements
            let definitions = Self.json(try await ask("\(resource)/properties", request).body).elements
            let type = JSONValue.string(String(resource.dropFirst("/event-types/".count)))
            let children = events.filter { $0["event_type_id"] == type } + definitions
            memory.hide(children.compactMap { $0["id"].stringValue })
        default: break
        }
        return request
    }

    // MARK: After the server

    private func changed(_ answer: WireAnswer, to request: WireRequest) async throws -> WireAnswer {
        switch way {
        case .goneIsServerError where answer.status == 404 && (request.method == .put || request.method == .delete):
            return Self.plain(500, "no rows in result set")
        case .plainErrors where answer.status >= 400 && answer.headers["content-type"]?.contains("problem") == true:
            let text = Self.json(answer.body)["title"].stringValue ?? ""
            var plain = Self.plain(answer.status, text)
            // As the router beneath such a server says it.
            if answer.status == 404 || answer.status == 400 {
                plain.headers["content-type"] = "text/plain"
                plain.body = Data("\(answer.status) \(text)".utf8)
            }
            for name in ["allow", "retry-after", "www-authenticate"] { plain.headers[name] = answer.headers[name] }
            return plain
        case .methodsAreNotFound where answer.status == 405: return try await ask("/no-such-things", request)
        case .keysAreNotBound where request.headers["Idempotency-Key"] != nil:
            return memory.firstAnswer(answer, to: request)
        case .cascadesAreNotLogged where request.resource.hasPrefix("/changes"):
            return try withoutEntries(answer, to: request) { memory.isHidden($0) }
        case .feedEntriesComeLate where request.resource == "/changes":
            return try withoutEntries(answer, to: request) { late.isUncommitted($0) }
        case .timesInOtherForms:
            let text = String(decoding: answer.body, as: UTF8.self)
            return WireAnswer(
                status: answer.status, headers: answer.headers,
                body: Data(text.replacing(/(\d\d:\d\d:\d\d\.\d{3})Z"/) { "\($0.1)4567+00:00\"" }.utf8))
        default: return answer
        }
    }

    private func withoutEntries(
        _ answer: WireAnswer, to request: WireRequest, _ isLeftOut: (JSONValue) -> Bool
    ) throws -> WireAnswer {
        guard var page = Self.json(answer.body).objectValue, let changes = page["changes"] else { return answer }
        let shown = changes.elements.filter { !isLeftOut($0) }
        page["changes"] = .array(shown)
        // A page ends with the last entry that it has; one that would be empty leads past what it leaves out.
        if let last = shown.last, page["has_more"] == false { page["next_cursor"] = last["id"] }
        if shown.isEmpty, way == .feedEntriesComeLate, page["has_more"] == false {
            page["next_cursor"] = .integer(Int64(request.since))
        }
        if way == .feedEntriesComeLate { late.showed(upTo: shown.last) }
        return WireAnswer(status: answer.status, headers: answer.headers, body: try WireCoding.encode(page))
    }

    private func ask(_ path: String, _ request: WireRequest) async throws -> WireAnswer {
        try await inner(
            WireRequest(.get, "/api/v1\(path)", headers: request.headers.filter { $0.key == "Authorization" }))
    }

    static func json(_ body: Data?) -> JSONValue {
        body.flatMap { try? WireCoding.decode(JSONValue.self, from: $0) } ?? .null
    }
}

extension WireRequest {
    /// The path beneath the base path, without its query.
    var resource: String {
        let path = path.prefix { $0 != "?" }
        return String(path.hasPrefix("/api/v1") ? path.dropFirst("/api/v1".count) : path)
    }
}

extension WireRequest {
    /// The cursor in the query.
    var since: Int { path.firstMatch(of: /since=(\d+)/).flatMap { Int($0.1) } ?? 0 }
}

extension JSONValue {
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    subscript(_ member: String) -> JSONValue { objectValue?[member] ?? .null }
}
