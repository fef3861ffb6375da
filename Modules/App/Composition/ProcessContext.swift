import Foundation
public import TrendyDomain
public import TrendyNotation
public import TrendyTerminal

/// The process of a run of the command line, which tests replace.
@MainActor
public struct ProcessContext {
    /// The environment variables, by name.
    public var environment: [String: String]
    /// Standard input.
    public var input: StandardInput
    /// The output for results.
    public var output: Output
    /// The output for errors and prompts.
    public var errors: Output
    /// The wall clock.
    public var wallClock: any WallClock
    /// The clock for the waits of `trendy sync --watch`.
    public var clock: any Clock<Duration>
    /// The generator for the ids of new records.
    public var identifiers: any IdentifierGenerator
    /// The time zone for input and output.
    public var zone: LocalZone
    /// Whether commands may handle SIGINT and SIGTERM, to stop cleanly.
    public var listensForSignals: Bool
    /// Whether the process ends with the command, so that open files need not be closed.
    public var endsWithCommand: Bool
    /// Starts background syncs; nil for none.
    public var launcher: ProgramLauncher?
    /// The absolute path by which the program was started; nil if it is unknown.
    public var program: @Sendable () -> String?
    /// The absolute path of the working folder; nil if it was deleted.
    public var workingFolder: @Sendable () -> String?

    /// Creates a context, for tests.
    public init(
        environment: [String: String], input: StandardInput, output: Output, errors: Output,
        wallClock: any WallClock, identifiers: any IdentifierGenerator, zone: LocalZone,
        clock: any Clock<Duration> = ContinuousClock(), listensForSignals: Bool = false,
        endsWithCommand: Bool = false, launcher: ProgramLauncher? = nil,
        program: @escaping @Sendable () -> String? = { nil },
        workingFolder: @escaping @Sendable () -> String? = { nil }
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
        self.endsWithCommand = endsWithCommand
        self.launcher = launcher
        self.program = program
        self.workingFolder = workingFolder
    }

    /// This process.
    public static func current() -> ProcessContext {
        ProcessContext(
            environment: ProcessInfo.processInfo.environment,
            input: StandardInput(descriptor: StandardStreams.inherited(FileHandle.standardInput.fileDescriptor)),
            output: .standardOutput(), errors: .standardError(), wallClock: SystemWallClock(),
            identifiers: UUIDv7Generator(), zone: .system, listensForSignals: true, endsWithCommand: true,
            launcher: .system, program: { ProgramFile.invoked },
            workingFolder: {
                // The path is empty if the folder was deleted.
                let path = FileManager.default.currentDirectoryPath
                return path.hasPrefix("/") ? path : nil
            })
    }
}
