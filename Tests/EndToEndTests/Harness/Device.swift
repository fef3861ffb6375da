import Foundation
import Testing
import TrendyDomain

/// A person's device: a `TRENDY_HOME` of its own, and the command line on it.
struct Device: Sendable {
    let home: URL
    let folder: Folder
    /// Variables that every command gets besides `TRENDY_HOME`.
    var environment: [String: String] = [:]

    init() throws {
        folder = try Folder()
        home = folder.url.appending(path: "home")
    }

    /// The variables of every command. A server is given time: all tests share a few cores with it, and those about
    /// silence say how long they wait.
    var variables: [String: String] {
        ["TRENDY_TIMEOUT": "120"].merging(environment) { $1 }
            .merging(["TRENDY_HOME": home.path, "HOME": folder.url.path]) { $1 }
    }

    /// Runs a command to its end, whatever its end is.
    func run(_ arguments: [String], input: Data? = nil) async throws -> Outcome {
        try await Program.run(arguments, environment: variables, input: input)
    }

    func run(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await run(arguments, input: input.map { Data($0.utf8) })
    }

    /// Runs a command that must succeed.
    @discardableResult
    func done(_ arguments: [String], input: String? = nil) async throws -> Outcome {
        let outcome = try await run(arguments, input: input.map { Data($0.utf8) })
        guard outcome.status == 0, !outcome.wasSignalled else { throw Unexpected("did not succeed", outcome) }
        return outcome
    }

    @discardableResult
    func done(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await done(arguments, input: input)
    }

    /// Runs a command with `--json` that must succeed, and reads what it wrote.
    func json<Value: Decodable>(_ type: Value.Type, _ arguments: String...) async throws -> Value {
        try await done(arguments + ["--json"]).decode(type)
    }
}

/// An account that a test signs up with.
struct Account: Sendable {
    var email = "person@example.org"
    var password = "correct horse battery staple"
}

extension Device {
    func signUp(at server: String, _ account: Account = Account()) async throws {
        try await done(
            "signup", "--server", server, "--email", account.email, "--password-stdin", input: account.password + "\n")
    }

    func logIn(at server: String, _ account: Account = Account()) async throws {
        try await done(
            "login", "--server", server, "--email", account.email, "--password-stdin", input: account.password + "\n")
    }

    func events() async throws -> [LocalRecord<Event>] {
        try await json([LocalRecord<Event>].self, "list", "--limit", "1000000")
    }

    func types() async throws -> [LocalRecord<EventType>] {
        try await json([LocalRecord<EventType>].self, "type", "list")
    }

    @discardableResult
    func log(_ arguments: String...) async throws -> LocalRecord<Event> {
        try await done(["log"] + arguments + ["--json"]).decode(LocalRecord<Event>.self)
    }

    @discardableResult
    func sync() async throws -> SyncOutput {
        try await json(SyncOutput.self, "sync")
    }

    func status() async throws -> StatusOutput {
        try await json(StatusOutput.self, "status")
    }
}

/// What `trendy sync --json` writes.
struct SyncOutput: Decodable {
    var state: String
    var pushed: Int
    var pulled: Int
    var pending: Int
    var parked: Int
    var conflicts: Int
    var cursor: Int64
    var bootstrapped: Bool
    var retryAfter: Double?
    var failure: String?
    var error: String?

    private enum CodingKeys: String, CodingKey {
        case state, pushed, pulled, pending, parked, conflicts, cursor, bootstrapped, failure, error
        case retryAfter = "retry_after"
    }
}

/// What `trendy status --json` writes.
struct StatusOutput: Decodable {
    var server: String?
    var signedIn: Bool
    var counts: [String: Int]
    var pending: Int
    var parked: Int
    var lastSync: String?
    var state: String

    private enum CodingKeys: String, CodingKey {
        case server, counts, pending, parked, state
        case signedIn = "signed_in"
        case lastSync = "last_sync"
    }
}
