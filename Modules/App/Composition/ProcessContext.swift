import Foundation
public import TrendyDomain

/// What a run of the command line takes from its process, so that a test decides all of it.
@MainActor
public struct ProcessContext {
    public var environment: [String: String]
    public var input: StandardInput
    public var output: Output
    public var errors: Output
    public var wallClock: any WallClock
    /// Waits between the syncs of `trendy sync --watch`.
    public var clock: any Clock<Duration>
    public var identifiers: any IdentifierGenerator
    public var zone: LocalZone
    /// Whether a command that stays may listen for SIGINT and SIGTERM, to end in order.
    public var listensForSignals: Bool

    public init(
        environment: [String: String], input: StandardInput, output: Output, errors: Output,
        wallClock: any WallClock, identifiers: any IdentifierGenerator, zone: LocalZone,
        clock: any Clock<Duration> = ContinuousClock(), listensForSignals: Bool = false
    ) {
        self.environment = environment
        self.input = input
        self.output = output
        self.errors = errors
        self.wallClock = wallClock
        self.clock = clock
        self.identifiers = identifiers
        self.zone = zone
        self.listensForSignals = listensForSignals
    }

    /// This process.
    public static func current() -> ProcessContext {
        ProcessContext(
            environment: ProcessInfo.processInfo.environment,
            input: StandardInput(descriptor: FileHandle.standardInput.fileDescriptor),
            output: .standardOutput(), errors: .standardError(), wallClock: SystemWallClock(),
            identifiers: UUIDv7Generator(), zone: .system, listensForSignals: true)
    }
}
