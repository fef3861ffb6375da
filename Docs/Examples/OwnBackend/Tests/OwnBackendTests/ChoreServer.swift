import Foundation
import Testing
import TrendyData

/// A folder for one test, gone with it.
final class TestFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "chores-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// The backend in Python, as a process of its own, which ends with this value.
final class ChoreServer {
    let address: ServerAddress
    private let folder: TestFolder
    private let process: Process

    /// Starts the server on a free port, and waits until it says where it listens.
    ///
    /// - Parameter lost: The beginnings of requests (`POST /v2/chores`) of which the first is done and not answered.
    init(losing lost: [String] = []) async throws {
        folder = try TestFolder()
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "python3", package.appending(path: "Server/chores.py").path, "--port", "0", "--data",
                folder.url.appending(path: "chores.sqlite").path,
            ] + lost.flatMap { ["--lose", $0] }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let line = await Self.firstLine(of: pipe.fileHandleForReading)
        let url = try #require(line.split(separator: " ").last, "chores.py said nothing; is Python 3 installed?")
        address = try ServerAddress(parse: String(url))
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
