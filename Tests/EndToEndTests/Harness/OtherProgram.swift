import Foundation

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
        let scratch = try device.folder.makeSubfolder()
        let files = ["out", "err"].map { scratch.appending(path: $0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("TRENDY_") }
        let folder = Program.url.deletingLastPathComponent().path
        environment["PATH"] = "\(folder):\(environment["PATH"] ?? "")"
        environment["TRENDY_HOME"] = device.home.path
        environment["HOME"] = device.folder.url.path
        environment["LC_ALL"] = "C.UTF-8"
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        let exit = await process.ended()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Outcome(arguments: arguments, exit: exit, output: texts[0], errors: texts[1])
    }
}
