import Foundation
import Testing
import TrendyProcesses

/// A `trendy serve` process.
final class ServerProcess {
    /// Where it can be reached: `http://127.0.0.1:PORT`.
    let address: String
    let process: ChildProcess
    private let output: FileHandle

    private init(address: String, process: ChildProcess, output: FileHandle) {
        self.address = address
        self.process = process
        self.output = output
    }

    deinit {
        process.signal(SIGKILL)
    }

    var port: Int {
        URL(string: address)?.port ?? 0
    }

    /// Starts a server on that folder, on a free port unless one is given, and waits until it listens.
    ///
    /// - Parameter openFiles: How many files it may have open; nil for as many as these tests.
    static func start(
        data: Folder, port: Int = 0, openFiles: Int? = nil, _ more: String...
    ) async throws -> ServerProcess {
        let store = ["--data", data.url.appending(path: "data").path]
        return try await start(store + more, port: port, openFiles: openFiles, home: data)
    }

    /// Starts a server on a PostgreSQL, as with a folder of data.
    ///
    /// - Parameter log: Where it writes what goes wrong.
    static func start(database url: String, port: Int = 0, log: Folder) async throws -> ServerProcess {
        try await start(["--database", url], port: port, openFiles: nil, home: log)
    }

    private static func start(
        _ store: [String], port: Int, openFiles: Int?, home: Folder
    ) async throws -> ServerProcess {
        let pipe = Pipe()
        let log = home.url.appending(path: "server.log")
        if !FileManager.default.fileExists(atPath: log.path) { try Data().write(to: log) }
        let errors = try FileHandle(forWritingTo: log)
        try errors.seekToEnd()
        let process = try Program.start(
            ["serve", "--port", "\(port)"] + store,
            environment: ["HOME": home.url.path, "TRENDY_HOME": home.url.appending(path: "home").path],
            output: pipe.fileHandleForWriting, errors: errors, openFiles: openFiles)
        try pipe.fileHandleForWriting.close()
        let line = await firstLine(of: pipe.fileHandleForReading)
        let prefix = "listening on http://127.0.0.1:"
        guard line.hasPrefix(prefix), Int(line.dropFirst(prefix.count)) != nil else {
            process.signal(SIGKILL)
            let said = try String(contentsOf: log, encoding: .utf8)
            throw ServerDidNotStart(firstLine: line, errors: said)
        }
        return ServerProcess(
            address: String(line.dropFirst("listening on ".count)), process: process,
            output: pipe.fileHandleForReading)
    }

    /// Sends a signal and waits for the end: the exit code, or nil where the signal ended it.
    @discardableResult
    func stop(_ signal: Int32) async -> Int32? {
        process.signal(signal)
        let exit = await process.ended()
        return exit.wasSignalled ? nil : exit.status
    }

    /// Reads up to the first line break, or the end.
    private static func firstLine(of handle: FileHandle) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var bytes = Data()
                while let byte = try? handle.read(upToCount: 1), let value = byte.first, value != UInt8(ascii: "\n") {
                    bytes.append(value)
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }
}

struct ServerDidNotStart: Error {
    let firstLine: String
    let errors: String
}
