import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal
import TrendyTestSupport

@testable import TrendyApp

/// A folder of its own for a test; gone with the value.
final class TestHome: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "trendy-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    var path: String { url.path(percentEncoded: false) }

    func write(_ text: String, to name: String) throws -> String {
        let file = url.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path(percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Runs command lines in this process, as one person on one device would.
@MainActor
final class TestShell {
    struct Answer {
        var status: Int32
        var output: String
        var errors: String

        /// The standard output as JSON.
        func json() throws -> JSONValue { try WireCoding.decode(JSONValue.self, from: Data(output.utf8)) }
    }

    /// Noon of 2026-03-10 in UTC.
    static let noon = Timestamp("2026-03-10T12:00:00Z")!

    let home: TestHome
    let clock = ManualWallClock(TestShell.noon)
    /// What commands that stay wait on.
    let ticks = ManualClock()
    var environment: [String: String]
    var zone = LocalZone.utc
    /// The size of the terminal that standard output is; nil where it is none.
    var terminal: TerminalSize?
    /// What starts a sync in the background after a change; nil for none.
    var launcher: ProgramLauncher?
    /// The path by which the program was started.
    var program = "/usr/local/bin/trendy"
    /// The folder that relative paths start from; nil for one that is gone.
    var workingFolder: String?
    /// Registers other parts over those of the product.
    var overrides: (inout DependencyRegistrations) -> Void = { _ in }
    private let identifiers: any IdentifierGenerator

    /// - Parameter random: What the ids of records are drawn from.
    init(random: any RandomSource = SystemRandomSource()) throws {
        home = try TestHome()
        environment = ["TRENDY_HOME": home.path]
        identifiers = UUIDv7Generator(clock: clock, random: random)
    }

    /// Runs `trendy` with these arguments, and this text on standard input.
    func run(_ arguments: String..., input: String = "") async throws -> Answer {
        try await run(arguments, input: input)
    }

    func run(_ arguments: [String], input: String = "") async throws -> Answer {
        try await run(arguments, bytes: Data(input.utf8))
    }

    /// Runs `trendy` with these arguments, and these bytes on standard input, which need not be text.
    func run(_ arguments: [String], bytes: Data) async throws -> Answer {
        let input = home.url.appending(path: "standard-input")
        try bytes.write(to: input)
        let file = try FileHandle(forReadingFrom: input)
        defer { try? file.close() }
        let output = terminal.map { Output(terminal: $0) } ?? Output()
        let errors = Output()
        let (program, workingFolder) = (program, workingFolder)
        let process = ProcessContext(
            environment: environment, input: StandardInput(descriptor: file.fileDescriptor), output: output,
            errors: errors, wallClock: clock, identifiers: identifiers, zone: zone, clock: ticks, launcher: launcher,
            program: { program }, workingFolder: { workingFolder })
        let status = await CommandLineRunner(process: process, overrides: overrides).run(arguments)
        return Answer(status: status, output: output.written, errors: errors.written)
    }

    /// The store of this device.
    var stores: LocalStoreFactory { LocalStoreFactory(path: home.path + "/trendy.sqlite") }

    /// Changes the store behind the back of the commands.
    func change(_ body: (any DataStoreProtocol) throws -> Void) throws {
        let store = try stores.makeDataStore()
        try body(store)
        try store.save()
    }

    /// Leaves a change as one that was sent, and of which nobody knows what became of it.
    func leaveUnanswered(_ id: Int64) throws {
        try change { store in
            guard var mutation = try store.findMutation(id: id) else { return }
            mutation.state = .sending
            try store.updateMutation(mutation)
        }
    }

    /// Syncs this device with a server, by an engine of its own.
    @discardableResult
    func sync(with network: MockNetworkClient) async -> SyncReport {
        await SyncEngine(networkClient: network, dataStoreFactory: stores, wallClock: clock).performSync()
    }

    /// Makes this device's store somebody's, as a sign-in does.
    func claim(for owner: StoreOwner) throws {
        try StoreOwnership(dataStoreFactory: stores, schema: .trendy).claim(for: owner)
    }

    /// An engine on this device's store that reaches no server.
    var engine: SyncEngine {
        SyncEngine(networkClient: MockNetworkClient(), dataStoreFactory: stores, wallClock: clock)
    }

    /// Runs a command that must succeed, and gives its JSON.
    func json(_ arguments: String...) async throws -> JSONValue {
        let answer = try await run(arguments + ["--json"])
        guard answer.status == 0 else { throw CommandFailure(.software, answer.errors) }
        return try answer.json()
    }
}

extension JSONValue {
    var array: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    subscript(key: String) -> JSONValue? { objectValue?[key] }
}
