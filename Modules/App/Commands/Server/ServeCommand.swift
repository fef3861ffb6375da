import ArgumentParser
import Foundation
import Logging
import TrendyServer
import TrendyTerminal

struct ServeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a Trendy server until SIGTERM or Ctrl-C.",
        discussion: """
            Examples:
              trendy serve --port 8080 --data /var/lib/trendy
            """)

    @Option(
        name: .long, help: ArgumentHelp("A JSON file with these options; SIGHUP reads it again.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The port; 0 for a free one (default: 8080).", valueName: "n"))
    var port: String?

    @Option(name: .long, help: ArgumentHelp("The folder of the data, created if needed.", valueName: "folder"))
    var data: String?

    @Option(name: .long, help: ArgumentHelp("A PostgreSQL URL; the password can be in PGPASSWORD.", valueName: "url"))
    var database: String?

    @Option(
        name: .long, help: ArgumentHelp("The address to listen on (default: 127.0.0.1).", valueName: "address"))
    var host: String?

    @Option(name: .long, help: ArgumentHelp("The address for metrics.", valueName: "host:port"))
    var metrics: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The limit of requests per minute and user.", valueName: "n"))
    var rateLimit: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The limit of sign-ins per minute, address and account.", valueName: "n"))
    var signInLimit: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The limit of connections per address.", valueName: "n"))
    var connectionLimit: String?

    @Option(
        name: .long, help: ArgumentHelp("Proxies to trust: IP addresses or blocks.", valueName: "ips"))
    var trustedProxy: [String] = []

    @Flag(name: .long, help: "Do not limit the number of requests.")
    var noRateLimit = false

    @Flag(name: .long, help: "Require an invitation for each sign-up.")
    var closed = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The limit of records per account; 0 for none.", valueName: "n"))
    var quotaRecords: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The limit of bytes per account; 0 for none.", valueName: "n"))
    var quotaBytes: String?

    @Option(
        name: .long, help: ArgumentHelp("The log level; 'info' logs each request.", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var logLevel: String?

    @Option(
        name: .long, help: ArgumentHelp("The log format: text or json.", valueName: "format"),
        completion: .list(ServerLog.Format.allCases.map(\.rawValue)))
    var logFormat: String?

    @OptionGroup var common: CommonOptions

    func check() throws {
        _ = try ServeSettings(ServeSources(options: options, environment: [:], file: nil))
    }

    func run(in context: CommandContext) async throws {
        let environment = context.process.environment
        let settings = try ServeSettings(ServeSources(options: options, environment: environment, file: config))
        let log = ServerLog(settings.log, clock: context.process.wallClock)
        let server = try makeServer(settings, log, in: context)
        let reload = ServeReload(
            options: options, environment: environment, file: config, settings: settings, server: server, log: log)
        let listening = SignalRelay.listen(to: [SIGHUP]) { _, _ in reload.run() }
        defer { listening?.end() }
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        try await server.run { port in
            let url = "http://\(host):\(port)"
            await Self.announce(url, in: context)
        }
    }

    /// The settings of the command line.
    private var options: [ServeSetting: String] {
        var options: [ServeSetting: String] = [:]
        options[.port] = port
        options[.host] = host
        options[.data] = data
        options[.database] = database
        options[.metrics] = metrics
        options[.rateLimit] = rateLimit
        options[.signInLimit] = signInLimit
        options[.connectionLimit] = connectionLimit
        options[.trustedProxy] = trustedProxy.isEmpty ? nil : trustedProxy.joined(separator: ",")
        options[.noRateLimit] = noRateLimit ? "true" : nil
        options[.closed] = closed ? "true" : nil
        options[.quotaRecords] = quotaRecords
        options[.quotaBytes] = quotaBytes
        options[.logLevel] = logLevel
        options[.logFormat] = logFormat
        return options
    }

    @MainActor
    private func makeServer(
        _ settings: ServeSettings, _ log: ServerLog, in context: CommandContext
    ) throws -> TrendyHTTPServer {
        let folder = settings.data ?? context.root.configuration.folders.server
        let configuration = ServerConfiguration(
            dataDirectory: URL(fileURLWithPath: folder, isDirectory: true), host: settings.host, port: settings.port,
            limits: settings.limits, quota: settings.quota, connectionsPerAddress: settings.connectionLimit,
            trustedProxies: settings.trustedProxies, metrics: settings.metrics, isClosed: settings.isClosed)
        let clock = context.process.wallClock
        guard let database = settings.database else {
            return try TrendyHTTPServer(configuration, clock: clock, logger: log.logger)
        }
        return try TrendyHTTPServer(configuration, database: database, clock: clock, logger: log.logger)
    }

    @MainActor
    private static func announce(_ url: String, in context: CommandContext) {
        // The server runs even if nobody reads its output.
        try? context.say("listening on \(url)", json: ["url": url])
        try? context.output.flush()
    }
}

/// Reloads the settings of a running server, and applies those that can change while it runs.
struct ServeReload: Sendable {
    let options: [ServeSetting: String]
    let environment: [String: String]
    let file: String?
    /// The settings at the start.
    let settings: ServeSettings
    let server: TrendyHTTPServer
    let log: ServerLog

    /// Applies new limits, quotas and log settings. Connections and requests continue.
    ///
    /// If the settings cannot be read, nothing changes, and the log has the error.
    func run() {
        let new: ServeSettings
        do {
            new = try ServeSettings(ServeSources(options: options, environment: environment, file: file))
        } catch {
            log.logger.error("the settings could not be reloaded", metadata: ["error": "\(error)"])
            return
        }
        server.setRequestLimits(new.limits)
        server.records.setQuota(new.quota)
        log.settings = new.log
        log.logger.notice("the settings were reloaded")
        let fixed = new.fixedDifferences(from: settings)
        if !fixed.isEmpty {
            log.logger.warning(
                "some settings take effect only after a restart",
                metadata: ["settings": "\(fixed.joined(separator: ", "))"])
        }
    }
}
