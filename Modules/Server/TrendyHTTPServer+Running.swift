import Foundation
import Hummingbird
import Logging
import NIOCore
import TrendyDomain

extension TrendyHTTPServer {
    /// Serves until the process gets SIGTERM or SIGINT; then answers what has begun, and returns.
    ///
    /// The process may have as many files open from then on as its hard limit allows, and keeps little of the memory that
    /// it has freed.
    ///
    /// - Parameter onListening: Told the port as soon as requests are accepted.
    /// - Throws: ``ServerStartError`` where the address cannot be had.
    public func run(onListening: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        OpenFileLimit.raise()
        FreedMemory.giveBack()
        try await besideMetrics {
            try await Self.naming(configuration.host, configuration.port) {
                try await makeApplication(onListening: onListening).runService()
            }
        }
    }

    /// Serves until the task is cancelled; leaves signals alone.
    ///
    /// It returns when the port is free again. That is an orderly end, of which the log says nothing.
    ///
    /// - Throws: ``ServerStartError`` where the address cannot be had.
    public func runUntilCancelled(onListening: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        let silence = SilenceableLog.Silence()
        var logger = logger
        logger.handler = SilenceableLog(logger.handler, until: silence)
        let application = makeApplication(logger: logger, onListening: onListening)
        // In a task of its own, which is cancelled after the log has fallen silent.
        let serving = Task {
            try await besideMetrics {
                try await Self.naming(configuration.host, configuration.port) {
                    try await application.runService(gracefulShutdownSignals: [])
                }
            }
        }
        do {
            try await withTaskCancellationHandler {
                try await serving.value
            } onCancel: {
                silence.begin()
                serving.cancel()
            }
        } catch is CancellationError {
            return
        }
    }

    /// Serves at an address. Where it cannot be had, the error names it.
    static func naming(_ host: String, _ port: Int, _ work: () async throws -> Void) async throws {
        guard !host.isEmpty else {
            throw ServerStartError.cannotListen(
                host: host, port: port, reason: "the host is empty; give an address of this machine, or 0.0.0.0 for all"
            )
        }
        do {
            try await work()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw ServerStartError.addressInUse(host: host, port: port)
        } catch let error as IOError {
            throw ServerStartError.cannotListen(
                host: host, port: port, reason: String(cString: strerror(error.errnoCode)))
        } catch let error as SocketAddressError {
            throw ServerStartError.cannotListen(host: host, port: port, reason: "\(error)")
        } catch is SocketAddressError.UnknownHost {
            throw ServerStartError.cannotListen(
                host: host, port: port, reason: "there is no such host; give an address or name of this machine")
        }
    }
}

extension TrendyHTTPServer {
    static func openStore(_ configuration: ServerConfiguration) throws(ServerStartError) -> SQLiteServerStore {
        let folder = configuration.dataDirectory
        let file = configuration.databaseFile
        do {
            try prepare(folder: folder, file: file)
        } catch {
            throw .inaccessible(path: folder.path(percentEncoded: false), reason: error.localizedDescription)
        }
        guard FileManager.default.isWritableFile(atPath: file.path(percentEncoded: false)) else {
            throw .inaccessible(path: file.path(percentEncoded: false), reason: "it is not writable")
        }
        return try SQLiteServerStore(file: file)
    }

    /// Password hashes and people's records are nobody else's business: folder 0700, file 0600.
    private static func prepare(folder: URL, file: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = file.path(percentEncoded: false)
        if !manager.fileExists(atPath: path),
            !manager.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        {
            throw CocoaError(.fileWriteNoPermission)
        }
    }
}
