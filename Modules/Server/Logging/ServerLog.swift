public import Foundation
public import Logging
import Synchronization
public import TrendyDomain

/// A server's log: a line for each event, whose least level and form can be changed while it is written.
public final class ServerLog: Sendable {
    /// How a line is written.
    public enum Format: String, Sendable, CaseIterable {
        /// For people: time, level, message, and `name=value` for each detail.
        case text
        /// A JSON object, for programs.
        case json
    }

    /// What is logged, and how.
    public struct Settings: Sendable, Hashable {
        /// Events of lower levels are not logged.
        public var level: Logger.Level
        /// How a line is written.
        public var format: Format

        /// What goes wrong, as text, unless told otherwise.
        public init(level: Logger.Level = .warning, format: Format = .text) {
            self.level = level
            self.format = format
        }
    }

    private let current: Mutex<Settings>
    private let clock: any WallClock
    private let write: @Sendable (Data) -> Void

    /// Makes a log.
    ///
    /// - Parameter write: Takes a line with its end; standard error unless told otherwise.
    public init(
        _ settings: Settings = Settings(), clock: any WallClock = SystemWallClock(),
        write: @escaping @Sendable (Data) -> Void = { FileHandle.standardError.write($0) }
    ) {
        current = Mutex(settings)
        self.clock = clock
        self.write = write
    }

    /// What is logged from now on, also by loggers that were made before.
    public var settings: Settings {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// What events are told.
    public var logger: Logger { Logger(label: "trendy.server") { [self] _ in Handler(log: self) } }

    private func append(_ event: LogEvent, _ metadata: Logger.Metadata) {
        let details = event.metadata.map { metadata.merging($0) { $1 } } ?? metadata
        let line = LogLine(time: clock.now(), level: event.level, message: "\(event.message)", details: details)
        write(Data((settings.format == .json ? line.json : line.text).utf8))
    }

    private struct Handler: LogHandler {
        let log: ServerLog
        var metadata: Logger.Metadata = [:]
        /// What this logger alone was told.
        private var level: Logger.Level?

        init(log: ServerLog) { self.log = log }

        var logLevel: Logger.Level {
            get { level ?? log.settings.level }
            set { level = newValue }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.append(event, metadata) }
    }
}
