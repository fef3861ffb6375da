import Foundation
import Testing
import TrendyConformance
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("trendy conformance", .timeLimit(.minutes(5)))
struct ConformanceCommandTests {
    /// A shell whose clock is the machine's, as the server's is.
    private func shell() throws -> TestShell { try TestShell() }

    @Test("lists the rules, all or those that are asked for, and asks no server")
    func list() async throws {
        let all = try await shell().json("conformance", "--list").array
        #expect(all.count == ConformanceRule.all.count { !$0.isPatient })
        #expect(all.allSatisfy { $0["demand"]?.stringValue?.hasSuffix(".") == true })
        let some = try await shell().run("conformance", "--list", "--only", "patch.null-clears", "auth")
        #expect(some.status == 0 && some.output.contains("patch.null-clears") && some.output.contains("auth.refresh"))
        #expect(!some.output.contains("feed.since") && some.errors.isEmpty)
        let people = try await shell().run("conformance", "--list")
        #expect(people.errors == "trendy: left out without --patient: limits.requests-per-minute\n")
        #expect(try await shell().run("conformance", "--list", "--patient").errors.isEmpty)
    }

    @Test("our server passes over HTTP, and a given account has nothing of it afterwards")
    func passes() async throws {
        try await withServer { server in
            let client = APIClient(server: server, credentials: InMemoryCredentialStore())
            _ = try await client.signup(email: "ann@example.org", password: "correct horse")
            _ = try await client.create(CreateRequest(makeEventType(name: "coffee")), idempotencyKey: "k1")
            let before = try await client.list(EventType.self, ListRequest(limit: 1000)).records
            let answer = try await shell().run(
                "conformance", "--server", server.description, "--email", "ann@example.org", "--password-stdin",
                "--json", "--only", "routes", "patch", "isolation", "cascades", "limits.body-size",
                input: "correct horse\n")
            let report = try answer.json()
            #expect(answer.status == 0, "\(answer.output)\(answer.errors)")
            #expect(report["score"] == 100 && report["failed"] == 0 && report["deviating"] == 0)
            #expect(report["passed"]?.doubleValue ?? 0 > 20 && report["not_checked"] == 0)
            #expect(report["left_behind"] == [] && report["accounts_made"]?.array.count == 1)
            #expect(try await client.list(EventType.self, ListRequest(limit: 1000)).records == before)
            #expect(try await client.list(Event.self, ListRequest(limit: 1000)).records == [])
            #expect(try await client.list(Geofence.self, ListRequest(limit: 1000)).records == [])
        }
    }

    @Test("with --no-sign-up it makes no account, and says what could not be checked")
    func noSignUp() async throws {
        try await withServer { server in
            let client = APIClient(server: server, credentials: InMemoryCredentialStore())
            _ = try await client.signup(email: "ann@example.org", password: "correct horse")
            let answer = try await shell().run(
                "conformance", "--server", server.description, "--email", "ann@example.org", "--password-stdin",
                "--no-sign-up", "--only", "isolation.reading", "routes.health", input: "correct horse\n")
            #expect(answer.status == 0, "\(answer.errors)")
            #expect(answer.output.contains("not checked  isolation.reading"))
            #expect(answer.output.contains("2 rules: 1 pass, 0 fail, 0 deviate, 1 not checked; score 100 of 100 for "))
            #expect(answer.output.contains("score 100 of 100 for the checked rules\n"))
            #expect(!answer.output.contains("accounts that remain"))
        }
    }

    @Test("a wrong password is 77, no server 69, an unknown rule or no server named 64")
    func exitCodes() async throws {
        let nowhere = "http://127.0.0.1:1"
        #expect(try await shell().run("conformance", "--server", nowhere).status == 69)
        #expect(try await shell().run("conformance").status == 64)
        #expect(try await shell().run("conformance", "--server", nowhere, "--only", "nonsense").status == 64)
        #expect(try await shell().run("conformance", "--server", nowhere, "--no-sign-up").status == 64)
        try await withServer { server in
            let answer = try await shell().run(
                "conformance", "--server", server.description, "--email", "eve@example.org", "--password-stdin",
                input: "wrong horse\n")
            #expect(answer.status == 77 && answer.errors.contains("eve@example.org"))
        }
    }

    @Test("where https:// is asked for and plain HTTP is spoken it says so, without the names of a library")
    func noTLS() async throws {
        try await withServer { server in
            let address = server.description.replacing("http://", with: "https://")
            let answer = try await shell().run("conformance", "--server", address)
            #expect(answer.status == 69 && answer.errors.contains("no TLS is spoken there"), "\(answer.errors)")
            #expect(!answer.errors.contains("SSL") && !answer.errors.contains(".cc"))
        }
    }

    @Test("two names of one account are 64, whose rules about two users would accuse the server")
    func oneAccount() async throws {
        try await withServer { server in
            let client = APIClient(server: server, credentials: InMemoryCredentialStore())
            _ = try await client.signup(email: "ann@example.org", password: "correct horse")
            let answer = try await shell().run(
                "conformance", "--server", server.description, "--email", "ann@example.org", "--other-email",
                "Ann@Example.org", "--password-stdin", "--only", "isolation",
                input: "correct horse\ncorrect horse\n")
            #expect(answer.status == 64 && answer.output.isEmpty)
            #expect(answer.errors.contains("Ann@Example.org are one account; --other-email must name another"))
        }
    }

    @Test("with --verbose and with --json the requests and answers of rules that pass are shown")
    func verbose() async throws {
        try await withServer { server in
            let arguments = ["conformance", "--server", server.description, "--only", "routes.health"]
            let plain = try await shell().run(arguments)
            #expect(plain.status == 0 && !plain.output.contains("> GET /health"))
            let verbose = try await shell().run(arguments + ["--verbose"])
            #expect(verbose.output.contains("> GET /health") && verbose.output.contains("< 200 application/json {"))
            let json = try await shell().run(arguments + ["--json"]).json()
            let exchange = try #require(json["results"]?.array.first?["exchanges"]?.array.first)
            #expect(exchange["request"] == "GET /health" && exchange["status"] == 200)
            let body = exchange["answer_body"]?.stringValue ?? ""
            #expect(body.contains(#""version":"\#(TrendyVersion.current)""#), "\(body)")
        }
    }

    @Test("where the server left much behind the first are named, and the others counted")
    func muchIsLeft() throws {
        let json: JSONValue = [
            "marker": "conformance-1", "results": [], "accounts_made": [], "interrupted": false,
            "left_behind": .array((0..<25).map { .string("/events/\($0)") }),
        ]
        let report = try WireCoding.decode(ConformanceReport.self, from: WireCoding.encode(json))
        let line = try #require(ConformanceText(width: 9).summary(of: report).last)
        #expect(line.contains("/events/19 and 5 more (names with conformance-1)") && !line.contains("/events/20"))
    }

    /// A report with a result of each of these verdicts.
    private func report(_ verdicts: [String], isInterrupted: Bool) throws -> ConformanceReport {
        let results: [JSONValue] = verdicts.map { verdict in
            [
                "rule": "patch.null-clears", "group": "patch", "demand": "It is so.", "section": "PUT is a patch",
                "verdict": .string(verdict), "deviations": [], "exchanges": [],
            ]
        }
        let json: JSONValue = [
            "marker": "conformance-1", "results": .array(results), "accounts_made": ["ann@example.com"],
            "interrupted": .boolean(isInterrupted), "left_behind": [],
        ]
        return try WireCoding.decode(ConformanceReport.self, from: WireCoding.encode(json))
    }

    /// The same as `--json` shows it.
    private func shown(_ report: ConformanceReport) throws -> JSONValue {
        let encoded = try WireCoding.encode(ConformanceJSON(server: "http://127.0.0.1:1", report: report))
        return try WireCoding.decode(JSONValue.self, from: encoded)
    }

    @Test("Ctrl-C is 130, whatever was found before")
    func interruption() throws {
        let report = try report(["pass", "fail"], isInterrupted: true)
        let failure = try #require(ConformanceSession.failure(of: report))
        #expect(failure.status.rawValue == 130)
        #expect(failure.message == "interrupted: 2 rules checked; run the same command again")
        let line = "2 rules: 1 pass, 1 fail, 0 deviate, 0 not checked; score 50 of 100"
        #expect(ConformanceText(width: 9).summary(of: report).first == line)
        #expect(try shown(report)["score"] == 50)
    }

    @Test("Ctrl-C before the first rule says so and gives no score, only the accounts that remain")
    func earlyInterruption() throws {
        let report = try report([], isInterrupted: true)
        let failure = try #require(ConformanceSession.failure(of: report))
        #expect(failure.status.rawValue == 130)
        #expect(failure.message == "interrupted: no rule was checked yet; run the same command again")
        let lines = ["accounts that remain, because the protocol cannot delete them: ann@example.com"]
        #expect(ConformanceText(width: 9).summary(of: report) == lines)
        let json = try shown(report)
        #expect(json["score"] == JSONValue.null && json["interrupted"] == true && json["passed"] == 0)
    }

    @Test("where none of the rules could be checked there is no score")
    func nothingChecked() throws {
        let report = try report(["not_checked"], isInterrupted: false)
        let line = "1 rule: 0 pass, 0 fail, 0 deviate, 1 not checked; no score"
        #expect(ConformanceText(width: 9).summary(of: report).first == line)
        #expect(try shown(report)["score"] == JSONValue.null)
        #expect(ConformanceSession.failure(of: report) == nil)
    }

    @Test("a failed rule is 65 and shows request and answer, without passwords and tokens")
    func failure() async throws {
        var limits = ServerConfiguration.Limits.unlimitedRequests
        limits.bodySize = 100_000
        try await withServer(limits: limits) { server in
            let answer = try await shell().run(
                "conformance", "--server", server.description, "--only", "limits.body-size", "routes.health")
            #expect(
                answer.status == 65 && answer.errors == "trendy: 1 rule failed; see the requests and answers above\n")
            #expect(answer.output.contains("fail         limits.body-size"))
            #expect(answer.output.contains("POST /api/v1/events is answered 413, not 201"))
            #expect(answer.output.contains("> POST /api/v1/events {"))
            #expect(answer.output.contains("< 413 application/problem+json {"))
            #expect(answer.output.contains("score 50 of 100"))
            #expect(!answer.output.contains("Bearer"))
        }
    }
}
