import Foundation
public import TrendyDomain
public import TrendyNotation
public import TrendyTerminal

/// What a run of the command line takes from its process, so that a test decides all of it.
@MainActor
public struct ProcessContext {
    /// The environment variables, by name.
    public var environment: [String: String]
    /// Where the program reads from.
    public var input: StandardInput
    /// Where results are written.
    public var output: Output
    /// Where errors and prompts are written.
    public var errors: Output
    /// What tells the time of day.
    public var wallClock: any WallClock
    /// Waits between the syncs of `trendy sync --watch`.
    public var clock: any Clock<Duration>
    /// What makes the ids of new records.
    public var identifiers: any IdentifierGenerator
    /// The time zone that a person writes and reads times in.
    public var zone: LocalZone
    /// Whether a command that stays may listen for SIGINT and SIGTERM, to end in order.
    public var listensForSignals: Bool
    /// Whether the process ends with the command, so that what it has open needs no closing.
    public var endsWithCommand: Bool
    /// What starts a sync in the background after a change; nil for none.
    public var launcher: ProgramLauncher?
    /// The absolute path by which the program was started, nil where that is not known.
    public var program: @Sendable () -> String?
    /// The absolute path of the working folder, nil where there is none any more.
    public var workingFolder: @Sendable () -> String?

    /// Makes the surroundings of a program; a test names all of them.
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
                // Empty where it was deleted.
                let path = FileManager.default.currentDirectoryPath
                return path.hasPrefix("/") ? path : nil
            })
    }
}
