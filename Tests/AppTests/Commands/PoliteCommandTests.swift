import Foundation
import Testing
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

@MainActor
@Suite("Pauses and trouble, as commands show them")
struct PoliteCommandTests {
    private let shell: TestShell

    init() throws {
        shell = try TestShell()
    }

    private func silence(seconds: Double, at server: String? = nil) throws {
        let end = shell.clock.now().advanced(bySeconds: seconds).description
        try shell.change {
            try $0.setMetadata(
                MetadataKey.breaker(of: server), #"{"refusals":3,"trips":1,"silentUntil":"\#(end)"}"#)
        }
    }

    @Test("while the server wants a pause sync sends nothing at all, and says when it can go on")
    func silent() async throws {
        _ = try await shell.json("type", "add", "run")
        let listener = try SilentListener()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:\(listener.port)"
        shell.environment["TRENDY_TIMEOUT"] = "0.5"
        shell.environment["TRENDY_TOKEN"] = "token"
        try silence(seconds: 90)
        for _ in 0..<10 {
            let answer = try await shell.run("sync")
            #expect(answer.status == 75)
            #expect(answer.errors.contains("1m 30s") && answer.errors.contains("trendy sync --now"))
        }
        let json = try await shell.run("sync", "--json")
        #expect(json.status == 75)
        #expect(try json.json()["retry_after"] == 90 && json.json()["failure"] == "rate_limited")
        #expect(try json.json()["next_attempt"] == "2026-03-10T12:01:30.000Z")
        #expect(try json.json()["pending"] == 1)
        #expect(!listener.hadVisitor)
    }

    @Test("nor do login and logout, and one is signed out all the same")
    func silentSignIn() async throws {
        let listener = try SilentListener()
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:\(listener.port)"
        shell.environment["TRENDY_TIMEOUT"] = "0.5"
        try silence(seconds: 90)
        for verb in ["login", "signup"] {
            let answer = try await shell.run([verb, "--email", "a@b.c", "--password-stdin"], input: "long enough")
            #expect(answer.status == 75, "\(answer.errors)")
            #expect(answer.errors.contains("1m 30s") && answer.errors.contains("'trendy \(verb) --now'"))
        }
        let file = FileCredentialStore(file: shell.home.url.appending(path: "credentials.json"))
        try file.save(
            Credentials(
                server: ServerAddress(parse: "http://127.0.0.1:\(listener.port)"), userId: "u1",
                accessToken: Secret("token"), obtainedAt: shell.clock.now()))
        let answer = try await shell.run("logout")
        #expect(answer.status == 0 && answer.output.contains("was not told, because it asked to wait"))
        #expect(try file.load() == nil)
        #expect(!listener.hadVisitor)
    }

    @Test("a pause that one server asked for holds back no request to another, and is not forgotten over it")
    func pauseOfAnother() async throws {
        shell.environment["TRENDY_TIMEOUT"] = "0.5"
        let (own, other) = ("http://127.0.0.1:2", "http://127.0.0.1:1")
        try silence(seconds: 90, at: own)
        func login(_ server: String, _ more: String...) async throws -> Int32 {
            let arguments = ["login", "--server", server, "--email", "a@b.c", "--password-stdin"] + more
            return try await shell.run(arguments, input: "secret").status
        }
        #expect(try await login(other) == 69)
        #expect(try await login(other, "--now") == 69)
        #expect(try await login(own) == 75)
        shell.environment["TRENDY_TOKEN"] = "token"
        shell.environment["TRENDY_SERVER"] = other
        #expect(try await shell.run("sync").status == 69)
        #expect(try await shell.json("status")["retry_after"] == .null)
        shell.environment["TRENDY_SERVER"] = own
        #expect(try await shell.run("sync").status == 75)
        #expect(try await shell.json("status")["retry_after"] == 90)
        shell.environment["TRENDY_TOKEN"] = nil
        #expect(try await login(own, "--now") == 69)
        #expect(try await login(own) == 69)
    }

    @Test("status names the command that does not wait, signed in or not")
    func signedOutStatus() async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        try silence(seconds: 90)
        #expect(try await shell.run("status").output.contains("sync at once with 'trendy login --now'"))
        shell.environment["TRENDY_TOKEN"] = "token"
        #expect(try await shell.run("status").output.contains("sync at once with 'trendy sync --now'"))
    }

    @Test("sync --now ends the pause on purpose")
    func now() async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        try silence(seconds: 90)
        #expect(try await shell.run("sync").status == 75)
        #expect(try await shell.run("sync", "--now").status == 69)
        #expect(try await shell.json("status")["retry_after"] == .null)
    }

    @Test("records that belong to somebody are not synced while nobody says whose the token is")
    func unknownToken() async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        try shell.claim(for: StoreOwner(userId: "u1", server: "http://127.0.0.1:1"))
        #expect(try await shell.run("sync").status == 69)
        #expect(try await shell.json("history") == [])
    }

    @Test("status names what is wrong and the command that helps")
    func status() async throws {
        _ = try await shell.json("log", "run", "--create-type")
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        try await shell.engine.clearPendingMutations()
        try shell.change { store in
            try store.putDocument(
                SyncConflict(
                    id: "c1", kind: .field, entityType: .event, entityId: "e1", field: "notes", localValue: "a",
                    remoteValue: "b", detectedAt: TestShell.noon))
            try store.putDocument(
                QuarantinedChange(
                    id: "q1", entry: ChangeEntry(id: 1, entityType: "mood", operation: .create, entityId: "m1"),
                    reason: "unknown", receivedAt: TestShell.noon))
        }
        try silence(seconds: 90)
        let text = try await shell.run("status").output
        for part in ["trendy queue list", "trendy conflicts list", "1m 30s", "trendy sync --now", "update Trendy"] {
            #expect(text.contains(part), "\(part)")
        }
        let json = try await shell.json("status")
        let problems = try #require(json["problems"]?.array)
        #expect(problems.map { $0["kind"] } == ["refused", "conflicts", "quarantine"])
        #expect(
            problems.map { $0["command"] } == [
                "trendy queue list", "trendy conflicts list", "trendy quarantine list",
            ])
        #expect(json["parked"] == 2 && json["conflicts"] == 1 && json["quarantined"] == 1)
        #expect(json["retry_after"] == 90 && json["state"] == "rate_limited")
    }

    @Test("status tells when the next try is made by itself after the server could not be reached")
    func nextTry() async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        #expect(try await shell.run("sync").status == 69)
        let json = try await shell.json("status")
        let next = try #require(json["next_attempt"]?.stringValue.flatMap(Timestamp.init))
        #expect((1...2).contains(next.seconds(since: TestShell.noon)))
        #expect(try await shell.run("status").output.contains("next try   after the first change from"))
        let lock = try #require(AutosyncLock(path: shell.home.path + "/autosync.lock"))
        defer { lock.close() }
        #expect(lock.take())
        #expect(try await shell.run("status").output.contains("next try   2026-03-10 12:00:0"))
        #expect(json["retry_after"] == .null)
    }

    @Test("status says what went wrong in the latest sync, and what helps")
    func trouble() async throws {
        #expect(try await shell.json("status")["problem"] == .null)
        try shell.change { try $0.putDocument(past("1", .signedOut, "the server does not accept the sign-in")) }
        let text = try await shell.run("status").output
        #expect(text.contains("does not accept the sign-in") && text.contains("trendy login"))
        try shell.change { try $0.putDocument(past("3", nil, nil)) }
        #expect(try await shell.json("status")["problem"] == .null)
    }

    @Test("status adds no other advice to that of a sync that could not begin, and names the present timeout")
    func ownAdvice() async throws {
        let advice = "; check the address and the network, then try again"
        try shell.change { try $0.putDocument(past("1", nil, "cannot reach the server: x\(advice)")) }
        #expect(
            try await shell.json("status")["problem"]
                == .string("cannot reach the server: x\(advice); nothing is lost"))
        let old = "\(APIError.timeout)\(advice); on a slow connection, run 'trendy config set timeout 60'"
        try shell.change { try $0.putDocument(past("2", nil, old)) }
        _ = try await shell.run("config", "set", "timeout", "120")
        let problem = try await shell.json("status")["problem"]?.stringValue ?? ""
        #expect(problem.contains("'trendy config set timeout 240'") && !problem.contains("timeout 60"), "\(problem)")
    }

    @Test(
        "status tells what the server failed on while that waits, whatever the latest sync said of itself",
        arguments: [0, 1])
    func failing(attempts: Int) async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        var change = makeMutation(createdAt: shell.clock.now())
        (change.attempts, change.lastError) = (attempts, "the server answered 500: boom")
        try shell.change { change = try $0.insertMutation(change) }
        for (number, error) in [nil, "the server failed on 1 change: the server answered 500: boom"].enumerated() {
            try shell.change { try $0.putDocument(past("\(number)", nil, error)) }
            let problem = try #require(try await shell.json("status")["problems"]?.array.first)
            #expect(problem["kind"] == "sync" && problem["command"] == "trendy queue list")
            let text = try await shell.run("status").output
            #expect(
                text.contains("trouble    the server failed on 1 change: the server answered 500: boom;"), "\(text)")
            #expect(!text.contains("reach"))
        }
        try shell.change { try $0.deleteMutation(id: change.id) }
        try shell.change { try $0.putDocument(past("91", nil, "the server failed on 1 change: boom")) }
        #expect(try await shell.json("status")["problem"] == .null)
    }

    @Test("status gives the reason for the pause before the next try: a server that was reached failed")
    func reasonOfPause() async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        #expect(try await shell.run("sync").status == 69)
        #expect(try await shell.run("status").output.contains("because the server could not be reached;"))
        try shell.change { try $0.putDocument(past("ffff", .unreachable, "the server answered 503: down")) }
        #expect(try await shell.run("status").output.contains("because the server failed;"))
        let others: [(SyncReport.Failure?, String, String)] = [
            (nil, "\(APIError.timeout); check the address", "the server could not be reached"),
            (.unreachable, APIError.untrusted(.selfSigned).description, "the last sync failed"),
            (.rateLimited, "the server asked for a pause", "the server asked for a pause"),
        ]
        for (number, (failure, error, reason)) in others.enumerated() {
            try shell.change { try $0.putDocument(past("ffff\(number)", failure, error)) }
            #expect(try await shell.run("status").output.contains("because \(reason);"), "\(error)")
        }
    }

    @Test("status tells what becomes of that which waits, and when the last sync was")
    func waiting() async throws {
        _ = try await shell.run("log", "run", "--create-type")
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        var status = try await shell.run("status").output
        #expect(
            status.contains("waiting    2 changes\n") && status.contains("'trendy login --server http://127.0.0.1:1'"))
        #expect(try await shell.json("status")["problems"]?.array.first?["kind"] == "signed_out")
        shell.environment["TRENDY_TOKEN"] = "token"
        try shell.change { try $0.setMetadata(MetadataKey.lastSync, "\"\(TestShell.noon)\"") }
        shell.clock.advance(bySeconds: 300)
        status = try await shell.run("status").output
        #expect(status.contains("last sync  2026-03-10 12:00") && status.contains("(5 min ago)"))
        #expect(status.contains("2 changes; sent after the next change, or at once with 'trendy sync'"))
        let lock = try #require(AutosyncLock(path: shell.home.path + "/autosync.lock"))
        #expect(lock.take())
        #expect(try await shell.run("status").output.contains("2 changes; sent in the background"))
        lock.close()
        #expect(try await shell.run("status").output.contains("2 changes; sent after the next change"))
        shell.environment["TRENDY_AUTOSYNC"] = "false"
        #expect(try await shell.run("status").output.contains("2 changes; send them with 'trendy sync'"))
        #expect(try await shell.json("status")["problems"] == [])
    }

    private func past(_ id: String, _ failure: SyncReport.Failure?, _ error: String?) -> SyncHistoryEntry {
        SyncHistoryEntry(
            id: id, startedAt: TestShell.noon, finishedAt: TestShell.noon, pushed: 0, pulled: 0, bootstrapped: false,
            failure: failure, error: error)
    }

    @Test("a sync that waits for another one says so")
    func waits() async throws {
        shell.environment["TRENDY_SERVER"] = "http://127.0.0.1:1"
        shell.environment["TRENDY_TOKEN"] = "token"
        let end = shell.clock.now().advanced(bySeconds: 60).description
        try shell.change {
            try $0.setMetadata(MetadataKey.lease, #"{"owner":"elsewhere","token":"other","expiresAt":"\#(end)"}"#)
        }
        let sync = Task { try await shell.run("sync") }
        // Two seconds of looks, ten of them in each.
        for _ in 0..<25 {
            await shell.ticks.waitForSleepers()
            shell.ticks.advanceToNextWake()
        }
        await shell.ticks.waitForSleepers()
        try shell.change { try $0.setMetadata(MetadataKey.lease, nil) }
        shell.ticks.advanceToNextWake()
        #expect(try await sync.value.errors.contains("another sync of this store is running"))
    }
}
