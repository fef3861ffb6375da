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
    public var identifiers: any IdentifierGenerator
    public var zone: LocalZone

    public init(
        environment: [String: String], input: StandardInput, output: Output, errors: Output,
        wallClock: any WallClock, identifiers: any IdentifierGenerator, zone: LocalZone
    ) {
        self.environment = environment
        self.input = input
        self.output = output
        self.errors = errors
        self.wallClock = wallClock
        self.identifiers = identifiers
        self.zone = zone
    }

    /// This process.
    public static func current() -> ProcessContext {
        ProcessContext(
            environment: ProcessInfo.processInfo.environment,
            input: StandardInput(descriptor: FileHandle.standardInput.fileDescriptor),
            output: .standardOutput(), errors: .standardError(), wallClock: SystemWallClock(),
            identifiers: UUIDv7Generator(), zone: .system)
    }
}
