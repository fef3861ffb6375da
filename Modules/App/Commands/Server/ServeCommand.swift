import ArgumentParser
import Foundation
import Logging
import TrendyServer

struct ServeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a Trendy server until it is told to stop (SIGTERM, Ctrl-C).",
        discussion: """
            It answers this machine only, unless --host says otherwise; put a proxy with
            TLS before it then, and name it with --trusted-proxy, or all clients count as
            one address. Several servers may share a --database; set PGPASSWORD rather than
            write the password into its URL, which others on this machine can see.
            Examples:
              trendy serve --port 8080 --data /var/lib/trendy
              trendy serve --database postgresql://trendy@db.example.org/trendy
            """)

    @Option(name: .long, parsing: .unconditional, help: "The port; 0 for a free one.")
    var port = 8080

    @Option(name: .long, help: "The folder of its data, made if need be.")
    var data: String?

    @Option(name: .long, help: "PostgreSQL's URL, instead of a folder.")
    var database: String?

    @Option(name: .long, help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(name: .long, help: ArgumentHelp("Requests a minute that one user may send.", valueName: "n"))
    var rateLimit: Int?

    @Option(name: .long, help: ArgumentHelp("Sign-ins a minute of one address or account.", valueName: "n"))
    var signInLimit: Int?

    @Option(name: .long, help: ArgumentHelp("Connections that one address may have.", valueName: "n"))
    var connectionLimit: Int?

    @Option(
        name: .long, help: ArgumentHelp("Whose Forwarded headers count: IPs or blocks.", valueName: "addresses"))
    var trustedProxy: [String] = []

    @Flag(name: .long, help: "Do not limit the number of requests.")
    var noRateLimit = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if data != nil && database != nil { throw CommandFailure.usage("--database excludes --data") }
        guard (0...65_535).contains(port) else {
            throw CommandFailure.usage("--port must be from 0 to 65535")
        }
        guard [rateLimit, signInLimit, connectionLimit].allSatisfy({ $0.map { $0 > 0 } ?? true }) else {
            throw CommandFailure.usage("a limit must be at least 1; --no-rate-limit takes those of requests away")
        }
        if let wrong = trustedProxies.first(where: { AddressBlock($0) == nil }) {
            throw CommandFailure.usage(
                "--trusted-proxy must be an address such as 10.0.0.1 or a block such as 10.0.0.0/8, not '\(wrong)'")
        }
        if noRateLimit && (rateLimit != nil || signInLimit != nil) {
            throw CommandFailure.usage("--no-rate-limit excludes the other limits")
        }
    }

    func run(in context: CommandContext) async throws {
        let server = try makeServer(in: context)
        let host = host.contains(":") ? "[\(host)]" : host
        try await server.run { port in
            let url = "http://\(host):\(port)"
            await Self.announce(url, in: context)
        }
    }

    @MainActor
    private func makeServer(in context: CommandContext) throws -> TrendyHTTPServer {
        let folder = data ?? context.root.configuration.folders.server
        if folder.isEmpty { throw CommandFailure.usage("--data needs a folder") }
        let configuration = ServerConfiguration(
            dataDirectory: URL(fileURLWithPath: folder, isDirectory: true), host: host, port: port, limits: limits,
            connectionsPerAddress: connectionLimit, trustedProxies: trustedProxies.compactMap { AddressBlock($0) })
        let (clock, logger) = (context.process.wallClock, Self.logger())
        guard let database else { return try TrendyHTTPServer(configuration, clock: clock, logger: logger) }
        return try TrendyHTTPServer(configuration, database: database, clock: clock, logger: logger)
    }

    /// Each address or block that was named, as it was written.
    private var trustedProxies: [String] {
        trustedProxy.flatMap { names in
            names.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { !$0.isWhitespace } }
        }
    }

    private var limits: ServerConfiguration.Limits {
        if noRateLimit { return .unlimitedRequests }
        var limits = ServerConfiguration.Limits()
        if let rateLimit { limits.requestsPerMinute = rateLimit }
        if let signInLimit { limits.signInsPerMinute = signInLimit }
        return limits
    }

    /// What goes wrong is worth a line; each start and stop of a part is not.
    private static func logger() -> Logger {
        var logger = TrendyHTTPServer.standardErrorLogger()
        logger.logLevel = .warning
        return logger
    }

    @MainActor
    private static func announce(_ url: String, in context: CommandContext) {
        // A server whose starter does not listen goes on all the same.
        try? context.say("listening on \(url)", json: ["url": url])
        try? context.output.flush()
    }
}
