import Foundation
import TrendyProcesses

/// Programs that a test uses where they are installed.
enum Tools {
    static func path(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func has(_ name: String) -> Bool { path(name) != nil }

    /// Runs a program to its end.
    static func run(_ name: String, _ arguments: [String]) async throws -> Transcript {
        try await ChildProcess.run(path(name) ?? name, arguments)
    }
}
