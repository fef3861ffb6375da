import Foundation
import Synchronization
import Testing
import TrendyConformance
import TrendyDomain
import TrendyTestSupport

// One at a time: all at once they would keep every thread from tests that wait for real servers.
@Suite("The rules", .serialized, .timeLimit(.minutes(10)))
struct PlantedFaultTests {
    private static let faults: [PlantedFault] = [
        .json("null does not clear", ["patch.null-clears"], of: .get, "/events/") {
            $0["notes"] = $0["notes"] ?? "kept"
        },
        .body("null is taken for absent", ["patch.null-clears"], of: .put, "/") {
            $0 = $0.filter { $0.value != .null }
        },
        .body("a PUT replaces the record", ["patch.absent-stays"], of: .put, "/events") { $0["end_date"] = .null },
        .body("an empty PUT changes something", ["patch.empty-changes-nothing"], of: .put, "/geofences") {
            $0["radius"] = 60
        },
        .body("a PUT is ignored", ["patch.value-sets", "routes.geofences"], of: .put, "/geofences") { $0 = [:] },
        .without("Idempotency-Key", "keys are ignored", ["idempotency.post-replay", "idempotency.put-replay"]),
        .json("the cursor goes back", ["feed.pages", "feed.concurrent-writers"], of: .get, "/changes") {
            if $0["next_cursor"] != nil { $0["next_cursor"] = 0 }
        },
        .json("has_more is always true", ["feed.pages", "feed.next-cursor-echo"], of: .get, "/changes") {
            if $0["has_more"] != nil { $0["has_more"] = true }
        },
        .json("has_more is always false", ["feed.pages", "limits.feed-page"], of: .get, "/changes") {
            if $0["has_more"] != nil { $0["has_more"] = false }
        },
        .json("the feed runs backwards", ["feed.pages", "feed.entries"], of: .get, "/changes") {
            if let changes = $0["changes"] { $0["changes"] = .array(changes.elements.reversed()) }
        },
        .json("the feed lacks every seventh entry", ["feed.concurrent-writers"], of: .get, "/changes") {
            if let changes = $0["changes"] {
                $0["changes"] = .array(
                    changes.elements.filter { ($0["id"].doubleValue ?? 0).remainder(dividingBy: 7) != 0 })
            }
        },
        .json("deletions hold a record", ["feed.entries"], of: .get, "/changes") {
            let changes = $0["changes"]?.elements ?? []
            if changes.isEmpty { return }
            $0["changes"] = .array(changes.map { $0["data"] == .null ? $0.setting("data", ["id": "x"]) : $0 })
        },
        .json("kinds have other names", ["feed.every-kind", "feed.entries"], of: .get, "/changes") {
            let changes = $0["changes"]?.elements ?? []
            if changes.isEmpty { return }
            $0["changes"] = .array(changes.map { $0.setting("entity_type", "thing") })
        },
        .json("the latest cursor is always 0", ["feed.latest-cursor"], of: .get, "/changes/latest-cursor") {
            $0["cursor"] = 0
        },
        .json("the latest cursor is ahead", ["feed.latest-cursor", "feed.empty"], of: .get, "/changes/latest-cursor") {
            $0["cursor"] = .integer(Int64($0["cursor"]?.doubleValue ?? 0) + 3)
        },
        .path("since is ignored", ["feed.since", "feed.latest-cursor"]) {
            $0.replacing(/since=\d+/, with: "since=0")
        },
        .path("the limit of the feed is ignored", ["feed.pages"]) {
            $0.contains("/changes") ? $0.replacing(/limit=\d+/, with: "limit=500") : $0
        },
        .path("offset is ignored", ["routes.newest-first"]) { $0.replacing(/&offset=\d+/, with: "") },
        .path("inactive geofences are listed as active", ["routes.active-geofences"]) {
            $0.replacing("?active=true", with: "")
        },
        PlantedFault(description: "lists run backwards", rules: ["routes.newest-first"]) { request, answer in
            guard case .array(let list) = DeployedServer.json(answer.body) else { return answer }
            return answer.with(.array(list.reversed()))
        },
        PlantedFault(
            description: "lists are empty", rules: ["routes.events", "routes.geofences", "routes.event-types"]
        ) {
            request, answer in
            guard case .array = DeployedServer.json(answer.body) else { return answer }
            return answer.with([])
        },
        .json("there is no user_id", ["records.server-fields"], of: .get, "/event-types") { $0["user_id"] = nil },
        .json("created_at is a number", ["records.server-fields"], of: .get, "/geofences") { $0["created_at"] = 5 },
        .json("a field is lost", ["records.event-fields", "records.batch-fields"], of: .get, "/events/") {
            $0["external_id"] = nil
        },
        .json("options are lost", ["records.other-fields"], of: .get, "/property-definitions") { $0["options"] = nil },
        .json("half of the place is lost", ["records.event-fields"], of: .get, "/events/") {
            $0["location_name"] = nil
        },
        .json("a batch does not count", ["routes.batch"], of: .post, "/events/batch") { $0["success"] = 0 },
        .json("batch errors lack their index", ["routes.batch"], of: .post, "/events/batch") {
            if $0["errors"] != nil { $0["errors"] = [["message": "x"]] }
        },
        .json("health is not ok", ["routes.health"], of: .get, "/health") { $0["status"] = "ill" },
        PlantedFault(
            description: "successes are text/plain",
            rules: ["routes.health", "routes.events", "patch.value-sets", "feed.since", "auth.log-in", "auth.sign-up"]
        ) { _, answer in
            guard answer.status < 300 else { return answer }
            return WireAnswer(status: answer.status, headers: ["Content-Type": "text/plain"], body: answer.body)
        },
        PlantedFault(description: "successes say nothing of their type", rules: ["routes.health", "auth.me"]) {
            WireAnswer(status: $1.status, headers: [:], body: $1.body)
        },
        .entries("entries of all but events lack their record", ["feed.every-kind"]) {
            $0["entity_type"] == "event" ? $0 : $0.setting("data", .null)
        },
        .entries("entries of types lack their record", ["feed.every-kind"]) {
            $0["entity_type"] == "event_type" ? $0.setting("data", .null) : $0
        },
        .entries("updates hold what was changed only", ["feed.entries", "feed.every-kind"]) {
            guard $0["operation"] == "update" else { return $0 }
            return $0.setting("data", ["id": $0["data"]["id"], "notes": $0["data"]["notes"]])
        },
        .entries("records of the feed have no server fields", ["feed.entries", "feed.every-kind"]) {
            guard let data = $0["data"].objectValue else { return $0 }
            return $0.setting("data", .object(data.filter { $0.key != "updated_at" && $0.key != "user_id" }))
        },
        .without(
            "Idempotency-Key", "keys count for events only",
            ["idempotency.post-replay", "idempotency.put-replay", "idempotency.other-body"]
        ) { !$0.resource.hasPrefix("/events") },
        .without("Idempotency-Key", "keys count for POST only", ["idempotency.put-replay", "idempotency.other-body"]) {
            $0.method == .put
        },
        .status("a second sign-up fails", ["isolation.reading", "feed.empty"], from: 201, to: 500) {
            $0.resource == "/auth/signup" && String(decoding: $0.body ?? Data(), as: UTF8.self).contains("-ben@")
        },
        .status("a sign-up is 200", ["auth.sign-up"], from: 201, to: 200) { $0.resource == "/auth/signup" },
        .json("who signs up is no whole user", ["auth.sign-up"], of: .post, "/auth/signup") {
            $0["user"] = $0["user"]?.setting("updated_at", .null)
        },
        .json("who signs in has no address", ["auth.log-in"], of: .post, "/auth/login") {
            $0["user"] = $0["user"]?.setting("email", .null)
        },
        .json("a refresh does not name the user", ["auth.refresh"], of: .post, "/auth/refresh") { $0["user"] = nil },
        PlantedFault(
            description: "lists lack a field",
            rules: ["routes.events", "routes.event-types", "routes.property-definitions", "routes.geofences"]
        ) { _, answer in
            guard case .array(let list) = DeployedServer.json(answer.body) else { return answer }
            return answer.with(.array(list.map { $0.setting("updated_at", .null) }))
        },
        .json("updated_at stands still", ["records.updated-at"], of: .get, "/") {
            if let made = $0["created_at"] { $0["updated_at"] = made }
        },
        .status("events can be moved beneath another's type", ["isolation.parents"], from: 400, to: 200) {
            $0.method == .put && $0.resource.hasPrefix("/events/")
        },
        .status("batches can be put beneath another's type", ["isolation.parents"], from: 400, to: 201) {
            $0.resource == "/events/batch"
        },
        .status("geofences may have another's type", ["isolation.parents"], from: 400, to: 201) {
            $0.method == .post && $0.resource == "/geofences"
        },
        .status("geofences may be given another's type", ["isolation.parents"], from: 400, to: 200) {
            $0.method == .put && $0.resource.hasPrefix("/geofences/")
        },
        .json("the summary stands still", ["routes.sync-summary"], of: .get, "/me/sync") {
            $0["counts"] = ["event": 7]
            $0["latest_cursor"] = 1
        },
        .body("notes are trimmed", ["records.event-fields"], of: .post, "/events") {
            $0["notes"] = ($0["notes"]?.stringValue).map { .string($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        },
        .body("changed notes lose what is not ASCII", ["records.event-fields"], of: .put, "/events") {
            $0["notes"] = ($0["notes"]?.stringValue).map { .string($0.filter(\.isASCII)) }
        },
        keyOfAnyRoute,
        .json("there are no counts", ["routes.sync-summary"], of: .get, "/me/sync") { $0["counts"] = nil },
        .json("me is somebody else", ["auth.me"], of: .get, "/auth/me") { $0["id"] = "x" },
        .status("a POST that replaces is 201", ["records.post-replaces"], from: 200, to: 201) { $0.method == .post },
        .status("creation is 200", ["routes.events", "patch.absent-stays"], from: 201, to: 200) {
            $0.resource.hasPrefix("/event")
        },
        .status("a deletion is 200", ["routes.events", "cascades.children-go"], from: 204, to: 200),
        .status("wrong values are 500", ["errors.wrong-values", "errors.validation"], from: 400, to: 500),
        .status("what is gone is 403", ["records.gone", "isolation.reading"], from: 404, to: 403),
        .status("too large is 400", ["limits.body-size"], from: 413, to: 400),
        .status("another body is 409", ["idempotency.other-body"], from: 422, to: 409),
        .status("no token is 403", ["auth.no-token", "auth.bad-token"], from: 401, to: 403) {
            !$0.resource.hasPrefix("/auth/log")
        },
        .status("a wrong password is 400", ["auth.wrong-password"], from: 401, to: 400) {
            $0.resource == "/auth/login"
        },
        .status("a taken name is 400", ["records.type-posted-again"], from: 409, to: 400),
        .status("another method is 404", ["errors.method"], from: 405, to: 404),
        .status("another type is 400", ["errors.content-type"], from: 415, to: 400),
        .json(
            "an exchange tells of no changes", ["exchange.both-ways", "exchange.cascades", "exchange.snapshot"],
            of: .post, "/sync"
        ) { $0["changes"] = [] },
        .json("an exchange tells of no deletions", ["exchange.cascades"], of: .post, "/sync") {
            $0["changes"] = .array(($0["changes"] ?? []).elements.filter { $0["deleted"] == .null })
        },
        .json("children come before their parents", ["exchange.snapshot", "exchange.both-ways"], of: .post, "/sync") {
            $0["changes"] = .array(($0["changes"] ?? []).elements.reversed())
        },
        .json("there is never more", ["exchange.snapshot"], of: .post, "/sync") { $0["more"] = false },
        .results("results lack records", ["exchange.stale", "exchange.refused"]) { $0.setting("record", .null) },
        .results("results name no fields", ["exchange.refused"]) { $0.setting("errors", []) },
        .results("replays are not marked", ["exchange.replay"]) { $0.setting("replayed", false) },
        .results("tombstones have no revision", ["exchange.deleted"]) {
            $0["outcome"] == "deleted" ? $0.setting("revision", 0) : $0
        },
        .results(
            "all is accepted",
            [
                "exchange.stale", "exchange.deleted", "exchange.refused", "exchange.names", "exchange.cascades",
                "exchange.one-payload",
            ]
        ) { $0.setting("outcome", "accepted") },
        .json("properties are lost", ["exchange.maps"], of: .get, "/events/") { $0["properties"] = [:] },
        .status("another history is 400", ["exchange.refusals"], from: 409, to: 400) { $0.resource == "/sync" },
        PlantedFault(description: "refusals are HTML", rules: ["errors.not-found", "errors.validation"]) { _, answer in
            guard answer.status >= 400 else { return answer }
            return WireAnswer(
                status: answer.status, headers: ["Content-Type": "text/html"], body: Data("<h1>No</h1>".utf8))
        },
        PlantedFault(description: "refusals name no fields", rules: ["errors.validation"]) { _, answer in
            guard answer.status == 400, let members = DeployedServer.json(answer.body).objectValue else {
                return answer
            }
            return answer.with(.object(members.filter { $0.key != "errors" }))
        },
    ]

    /// The first answer to a key is given on every route.
    private static var keyOfAnyRoute: PlantedFault {
        let memory = FirstAnswers()
        return PlantedFault(description: "a key counts for all routes", rules: ["idempotency.per-route"]) {
            request, answer in
            guard request.method == .post, let key = request.headers["Idempotency-Key"] else { return answer }
            return memory.answer(answer, to: key)
        }
    }

    @Test("find what a server does wrong", arguments: faults)
    func found(fault: PlantedFault) async throws {
        let known = Set(ConformanceRule.all.map(\.name))
        try #require(fault.rules.allSatisfy(known.contains), "\(fault.rules)")
        try await ConformanceBench().run(through: { fault.layer($0) }) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.named(fault.rules))
            for result in report.results { #expect(result.verdict == .fail, "\(result.rule)") }
            #expect(report.results.allSatisfy { $0.reason != nil })
            #expect(report.score == 0)
        }
    }

    @Test("do not pass, none of them, where a server answers everything with 200 and nothing")
    func agreeableServer() async throws {
        let layer: @Sendable (@escaping ConformanceTarget.Send) -> ConformanceTarget.Send = { inner in
            { request in
                let isSignUp = request.resource == "/auth/signup"
                return isSignUp && request.body?.count ?? 0 > 90
                    ? try await inner(request)
                    : WireAnswer(status: 200, headers: ["Content-Type": "application/json"], body: Data("{}".utf8))
            }
        }
        try await ConformanceBench().run(through: layer) { target in
            let report = try await ConformanceRun(target).check(ConformanceRule.all)
            #expect(report.results.filter { $0.verdict != .fail }.map(\.rule) == [])
        }
    }
}

/// The first answer that each key got.
private final class FirstAnswers: Sendable {
    private let known = Mutex<[String: WireAnswer]>([:])

    func answer(_ answer: WireAnswer, to key: String) -> WireAnswer {
        known.withLock { known in
            if let first = known[key] { return first }
            known[key] = answer
            return answer
        }
    }
}

extension JSONValue {
    func setting(_ member: String, _ value: JSONValue) -> JSONValue {
        .object((objectValue ?? [:]).merging([member: value]) { $1 })
    }
}
