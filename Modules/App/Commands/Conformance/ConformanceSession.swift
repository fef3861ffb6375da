import Foundation
import TrendyConformance
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// A run of the rules that reports each result at once.
@MainActor
struct ConformanceSession {
    let context: CommandContext
    let server: ServerAddress
    let target: ConformanceTarget
    /// Whether the requests of passed rules are shown.
    var isVerbose = false

    /// - Throws: ``CommandFailure`` if a rule fails or the run was stopped.
    func check(_ rules: [ConformanceRule]) async throws {
        let (news, announce) = AsyncStream<ConformanceNews>.makeStream()
        let run = ConformanceRun(target) { announce.yield($0) }
        let work = Task { [rules] in
            defer { announce.finish() }
            return try await run.check(rules)
        }
        let signals = context.process.listensForSignals ? StopSignals { work.cancel() } : nil
        defer { signals?.end() }
        let text = ConformanceText(width: rules.map(\.name.count).max() ?? 0, isVerbose: isVerbose)
        do {
            // Results are printed while the run continues.
            for await item in news { try tell(item, text) }
        } catch {
            // The output is closed, but the created records must still be deleted.
            work.cancel()
            _ = try? await work.value
            throw error
        }
        let report = try await work.value
        if context.wantsJSON {
            try context.output.json(ConformanceJSON(server: server.description, report: report))
        } else {
            for line in text.summary(of: report) { try context.output.line(line) }
        }
        if let failure = Self.failure(of: report) { throw failure }
    }

    private func tell(_ news: ConformanceNews, _ text: ConformanceText) throws {
        switch news {
        case .checked(let result):
            if context.wantsJSON { return }
            for line in text.lines(of: result) { try context.output.line(line) }
            try context.output.flush()
        case .pausing(let seconds):
            try context.remark("the server asked to wait \(Int(seconds.rounded(.up))) s")
        case .cleaningUp: break
        }
    }

    static func failure(of report: ConformanceReport) -> CommandFailure? {
        if let reason = report.lostServer {
            return CommandFailure(
                .unavailable, "the server has stopped answering: \(reason); start it and run this again")
        }
        let failed = report.count(.fail)
        if report.endedBeforeTheFirstRule {
            return .interrupted("no rule was checked yet; run the same command again")
        }
        if report.wasInterrupted {
            return .interrupted("\(counted(report.results.count, "rule")) checked; run the same command again")
        }
        return failed == 0 ? nil : .data("\(counted(failed, "rule")) failed; see the requests and answers above")
    }
}

/// Sends the requests of the rules over HTTP.
struct ConformanceTransport: Sendable {
    private let base: String
    private let transport: any HTTPTransport

    init(server: ServerAddress, configuration: TransportConfiguration) {
        base = server.description
        transport = standardTransport(configuration: configuration)
    }

    /// Why there is no answer.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    func send(_ request: WireRequest) async throws -> WireAnswer {
        guard let url = URL(string: base + request.path), let method = HTTPMethod(rawValue: request.method.rawValue)
        else { throw Failure(description: "\(base + request.path) is not a URL") }
        do {
            let answer = try await transport.send(
                TransportRequest(method: method, url: url, headers: request.headers, body: request.body))
            return WireAnswer(status: answer.status, headers: answer.headers, body: answer.body)
        } catch APIError.cancelled {
            throw CancellationError()
        } catch let error as APIError {
            switch error {
            case .notSent(let reason), .connection(let reason):
                throw Failure(description: CommandFailure.readable(reason))
            default: throw Failure(description: error.description)
            }
        }
    }
}

extension CommandFailure {
    init(conformance error: ConformanceError) {
        switch error {
        case .unreachable: self.init(.unavailable, "\(error); check the address and the network, then try again")
        case .notAServer: self.init(.unavailable, "\(error); check the address")
        case .signInRefused: self.init(.signIn, "\(error); check both")
        case .sameAccount: self.init(.usage, "\(error); --other-email must name another account than --email")
        case .noAccount: self.init(.signIn, "\(error); give an account with --email ADDRESS")
        case .unknownRule: self.init(.usage, "\(error); 'trendy conformance --list' lists them")
        }
    }
}
