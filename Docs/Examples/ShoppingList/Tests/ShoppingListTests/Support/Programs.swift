import Foundation
import Testing

/// The programs of this package, built beside these tests.
enum Programs {
    static let folder: URL = {
        let beside =
            [Bundle.main.executableURL, URL(filePath: CommandLine.arguments[0])].compactMap { $0 }
            + Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
        let folders = beside.map { $0.deletingLastPathComponent() }
        return folders.first {
            FileManager.default.isExecutableFile(atPath: $0.appending(path: "shopping-server").path)
        } ?? folders[0]
    }()

    /// Runs a program to its end and answers what it wrote, errors among the rest.
    static func run(
        _ executable: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) async throws -> String {
        let file = folder.appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: file)
        let output = try FileHandle(forWritingTo: file)
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let (ends, ended) = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.finish() }
        try process.run()
        for await _ in ends {}
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}

/// A `shopping-server` in a process of its own, which ends with this value.
final class ServerProcess {
    let address: String
    private let process: Process

    /// Starts a server on a free port, and waits until it says where it listens.
    init(data: URL) async throws {
        let pipe = Pipe()
        process = Process()
        process.executableURL = Programs.folder.appending(path: "shopping-server")
        process.arguments = ["--port", "0", "--data", data.path]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = await Self.firstLine(of: pipe.fileHandleForReading)
        address = try #require(line.split(separator: " ").last.map(String.init), "the server said nothing")
    }

    // Processes that are started from a task inherit a signal mask which keeps SIGTERM away.
    deinit { kill(process.processIdentifier, SIGKILL) }

    private static func firstLine(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            // A thread of its own: reading waits, and the threads of Swift's tasks must not.
            Thread.detachNewThread {
                var line = Data()
                while let byte = try? handle.read(upToCount: 1), byte != Data("\n".utf8), !byte.isEmpty {
                    line += byte
                }
                continuation.resume(returning: String(decoding: line, as: UTF8.self))
            }
        }
    }
}
