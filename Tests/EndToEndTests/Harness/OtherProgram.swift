import Foundation
import TrendyProcesses

/// A program that a test uses where it is installed.
struct OtherProgram: Sendable {
    let path: String

    /// Finds it in the folders of PATH; nil where it is not there.
    init?(_ name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { return nil }
        path = found
    }

    /// Runs it to its end, with the `trendy` under test first in PATH.
    func run(_ arguments: [String], on device: Device) async throws -> Outcome {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRENDY_") }
        let folder = Program.url.deletingLastPathComponent().path
        environment["PATH"] = "\(folder):\(environment["PATH"] ?? "")"
        environment["TRENDY_HOME"] = device.home.path
        environment["HOME"] = device.folder.url.path
        environment["LC_ALL"] = "C.UTF-8"
        return Outcome(arguments, try await ChildProcess.run(path, arguments, environment: environment))
    }
}
