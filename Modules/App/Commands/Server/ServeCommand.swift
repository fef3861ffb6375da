import ArgumentParser
import Foundation
import Logging
import TrendyServer

struct ServeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a Trendy server until it is told to stop (SIGTERM, Ctrl-C).",
        discussion: """
            The first line on standard output says where it listens. It answers this
            machine only, unless --host says otherwise; put a proxy with TLS before it
            then.
            --database keeps the data in PostgreSQL, which several servers may share. Set
            PGPASSWORD: others on this machine can see what is in the URL.
            Examples:
              trendy serve --port 8080 --data /var/lib/trendy
              trendy serve --database postgresql://trendy@db.example.org/trendy
            """)

    @Option(name: .long, parsing: .unconditional, help: "The port; 0 for a free one.")
    var port = 8080

    @Option(name: .long, help: "The server's folder; made where there is none.")
    var data: String?

    @Option(name: .long, help: "PostgreSQL's URL, instead of a folder.")
    var database: String?

    @Option(name: .long, help: "The address to listen at.")
    var host = "127.0.0.1"

    @Option(name: .long, help: "Requests a minute that one user may send.")
    var rateLimit: Int?

    @Option(name: .long, help: "Sign-ups and sign-ins a minute from one address.")
    var signInLimit: Int?

    @Flag(name: .long, help: "Do not limit the number of requests.")
    var noRateLimit = false

    @Flag(name: .long, help: "Make accounts by invitation alone.")
    var closed = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if data != nil && database != nil { throw CommandFailure.usage("--database excludes --data") }
        guard (0...65_535).contains(port) else {
            throw CommandFailure.usage("--port must be from 0 to 65535")
        }
        guard [rateLimit, signInLimit].allSatisfy({ $0.map { $0 > 0 } ?? true }) else {
            throw CommandFailure.usage("a limit must be at least 1; --no-rate-limit takes it away")
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
            isClosed: closed)
        let (clock, logger) = (context.process.wallClock, Self.logger())
        guard let database else { return try TrendyHTTPServer(configuration, clock: clock, logger: logger) }
        return try TrendyHTTPServer(configuration, database: database, clock: clock, logger: logger)
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
