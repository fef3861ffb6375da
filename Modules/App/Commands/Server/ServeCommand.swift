import ArgumentParser
import Foundation
import Logging
import TrendyServer
import TrendyTerminal

struct ServeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a Trendy server until it is told to stop (SIGTERM, Ctrl-C).",
        discussion: """
            Examples:
              trendy serve --port 8080 --data /var/lib/trendy
            """)

    @Option(
        name: .long, help: ArgumentHelp("JSON with the names of these options, read on SIGHUP.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The port; 0 for a free one (usually 8080).", valueName: "n"))
    var port: String?

    @Option(name: .long, help: ArgumentHelp("The data's folder; made where there is none.", valueName: "folder"))
    var data: String?

    @Option(name: .long, help: ArgumentHelp("PostgreSQL's URL; leave its password to PGPASSWORD.", valueName: "url"))
    var database: String?

    @Option(
        name: .long, help: ArgumentHelp("The address to listen at (usually 127.0.0.1).", valueName: "address"))
    var host: String?

    @Option(name: .long, help: ArgumentHelp("Where metrics are answered.", valueName: "host:port"))
    var metrics: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Requests a minute that one user may send.", valueName: "n"))
    var rateLimit: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Sign-ins a minute of one address or account.", valueName: "n"))
    var signInLimit: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Connections that one address may have.", valueName: "n"))
    var connectionLimit: String?

    @Option(
        name: .long, help: ArgumentHelp("Proxies whose Forwarded counts: IPs or blocks.", valueName: "ips"))
    var trustedProxy: [String] = []

    @Flag(name: .long, help: "Do not limit the number of requests.")
    var noRateLimit = false

    @Flag(name: .long, help: "Refuse sign-ups without an invitation.")
    var closed = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Records that an account may keep; 0 for any number.", valueName: "n"))
    var quotaRecords: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Bytes that an account may keep; 0 for any number.", valueName: "n"))
    var quotaBytes: String?

    @Option(
        name: .long, help: ArgumentHelp("What is logged; 'info' has a line for each request.", valueName: "level"),
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var logLevel: String?

    @Option(
        name: .long, help: ArgumentHelp("How a line is written: text or json.", valueName: "format"),
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

    /// What the command line says.
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
        // A server whose starter does not listen goes on all the same.
        try? context.say("listening on \(url)", json: ["url": url])
        try? context.output.flush()
    }
}

/// Reads the settings of a running server anew, and carries over those that can change while it runs.
struct ServeReload: Sendable {
    let options: [ServeSetting: String]
    let environment: [String: String]
    let file: String?
    /// What it was started with.
    let settings: ServeSettings
    let server: TrendyHTTPServer
    let log: ServerLog

    /// Changes limits, quotas and logging. Connections and requests that are under way go on.
    ///
    /// Where the settings cannot be read, all stays as it is, and the log says why.
    func run() {
        let new: ServeSettings
        do {
            new = try ServeSettings(ServeSources(options: options, environment: environment, file: file))
        } catch {
            log.logger.error("the settings are not read anew", metadata: ["error": "\(error)"])
            return
        }
        server.setRequestLimits(new.limits)
        server.records.setQuota(new.quota)
        log.settings = new.log
        log.logger.notice("the settings were read anew")
        let fixed = new.fixedDifferences(from: settings)
        if !fixed.isEmpty {
            log.logger.warning(
                "some settings hold only from the next start on",
                metadata: ["settings": "\(fixed.joined(separator: ", "))"])
        }
    }
}
