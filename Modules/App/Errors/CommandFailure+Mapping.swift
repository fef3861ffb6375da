import Foundation
import TrendyConformance
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendySync
public import TrendyTerminal

extension CommandFailure {
    /// Converts any error into a message for people and an exit code.
    public init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as InputError: self.init(error.kind == .usage ? .usage : .data, error.message)
        case let unknown as UnknownType: self.init(.data, unknown.message)
        case let error as TrendyDomain.ValidationError: self.init(.data, error.description)
        case let error as SyncEngineError: self.init(.data, error.description)
        case let error as LedgerError: self.init(ledger: error)
        case let error as StoreError: self.init(store: error)
        case let error as APIError: self.init(server: error)
        case let refusal as TokenRefusal: self = refusal.failure
        case let error as CredentialStoreError: self.init(.cannotCreate, error.description)
        case let error as ServerAddressError: self.init(.usage, error.description)
        case let error as ProxyError: self.init(.usage, error.description)
        case let error as CertificateFileError: self.init(.usage, error.description)
        case let error as ServerStartError: self.init(start: error)
        case let problem as ServerProblem: self.init(problem: problem)
        case let error as OperatorError: self.init(operator: error)
        case let error as ConformanceError: self.init(conformance: error)
        case is CancellationError: self.init(.interrupted, "interrupted; nothing is lost; run the same command again")
        default: self.init(.software, "internal error, please report it: \(error)")
        }
    }

    init(store error: StoreError) {
        switch error {
        case .busy: self.init(.tryLater, error.description)
        case .newerVersion, .developmentVersion: self.init(.data, error.description)
        case .corrupt:
            // The description has the remedy.
            self.init(.data, error.description)
        case .inaccessible: self.init(.cannotCreate, error.description)
        case .replaced: self.init(.inputOutput, error.description)
        case .unreadableRecord: self.init(.data, error.description)
        case .unknownEntityType, .failed: self.init(.software, error.description)
        }
    }

    /// The error for a damaged store, with the way back.
    ///
    /// - Parameter reason: What the store says; advice without names stands behind a semicolon.
    @MainActor
    static func damaged(_ reason: String, in context: CommandContext) -> CommandFailure {
        let fact = reason.split(separator: ";").first.map(String.init) ?? reason
        let way = KnownBackups(context.root.configuration.folders).wayBack(in: context.process.zone)
        return .data("\(StoreError.corrupt(fact).description); \(way)")
    }

    /// The failure that a sync ended with, with the way back if the store is damaged; nil if it succeeded.
    @MainActor
    static func of(_ text: SyncReportText, in context: CommandContext) -> CommandFailure? {
        let corrupt = StoreError.corrupt("").description
        guard text.report.failure == .store, let reason = text.report.error, reason.hasPrefix(corrupt) else {
            var text = text
            text.moreTime = context.moreTime
            return text.failure
        }
        return damaged(String(reason.dropFirst(corrupt.count)), in: context)
    }

    /// The failure that an error means, with what helps with the present settings.
    @MainActor
    static func of(_ error: any Error, in context: CommandContext) -> CommandFailure {
        switch error {
        case APIError.timeout: late(context.moreTime)
        case StoreError.corrupt(let reason): damaged(reason, in: context)
        default: CommandFailure(error)
        }
    }

    /// Converts the description of a store error in a sync report.
    init(storeReason reason: String) {
        let (inaccessible, corrupt) = (StoreError.inaccessible("").description, StoreError.corrupt("").description)
        if reason.hasPrefix(inaccessible) {
            self.init(.cannotCreate, reason)
        } else if reason.hasPrefix(corrupt) {
            self.init(.data, reason)
        } else {
            self.init(reason == StoreError.busy.description ? .tryLater : .software, reason)
        }
    }

    init(ledger error: LedgerError) {
        switch error {
        case .sending: self.init(.tryLater, error.description)
        case .unknownConflict: self.init(.data, "\(error.description); see 'trendy conflicts list'")
        default: self.init(.data, error.description)
        }
    }

    init(start error: ServerStartError) {
        switch error {
        case .addressInUse, .cannotListen, .unusableDatabase: self.init(.unavailable, error.description)
        case .badDatabaseURL, .noPostgres: self = .usage(error.description)
        case .newerStore, .developmentStore, .corruptStore, .foreignDatabase: self.init(.data, error.description)
        case .inaccessible: self.init(.cannotCreate, error.description)
        case .inUse: self.init(.tryLater, error.description)
        case .badRoutes: self.init(.software, error.description)
        }
    }

    /// Converts an error of the server's core, for operators.
    init(problem: ServerProblem) {
        switch problem.kind {
        case .unavailable: self.init(.tryLater, problem.description)
        case .internal: self.init(.software, problem.description)
        default: self.init(.data, problem.description)
        }
    }

    init(operator error: OperatorError) {
        switch error {
        case .noData: self = .usage(error.description)
        case .notWritten, .exists: self.init(.cannotCreate, error.description)
        case .unusableBackup, .onlySQLite, .notMoved: self.init(.data, error.description)
        }
    }

    init(server error: APIError) {
        switch error {
        case .notSent(let reason), .connection(let reason):
            let error = APIError.connection(Self.readable(reason))
            self.init(.unavailable, "\(error.description); check the address and the network, then try again")
        case .timeout: self = .late(Self.moreTime)
        case .notAServer, .malformedResponse, .answerTooLarge, .untrusted:
            self.init(.unavailable, error.description)
        case .unauthorized(let reason, mayPass: false): self.init(.signIn, Self.signInSentence(reason))
        case .unauthorized(let reason, mayPass: true): self = .doubtful(reason)
        case .rateLimited: self.init(.tryLater, error.description)
        case .http(let status, _) where status == 404 || status == 405:
            self.init(.unavailable, error.description)
        case .http(let status, let problem) where status < 500:
            self.init(.data, Self.refusal(status, problem, error))
        case .http: self.init(.unavailable, error.description)
        case .inDoubt(let refusal): self.init(server: refusal)
        case .cancelled: self.init(.interrupted, "interrupted; nothing is lost; run the same command again")
        }
    }

    /// The message for a missing or expired sign-in, without the advice of the server.
    static func signInSentence(_ reason: String) -> String {
        let parts = reason.split(separator: ";").map { Names.trimmed(String($0)) }
        let facts = parts.filter {
            !$0.lowercased().hasPrefix("sign in") && !$0.lowercased().hasPrefix("not signed in")
        }
        let detail = facts.isEmpty ? "" : ": \(facts.joined(separator: ", "))"
        return "not signed in\(detail); sign in with 'trendy login'"
    }

    /// The failure of a sign-in that is not accepted, though nothing says that it has ended.
    ///
    /// A sign-in service that has failed has refused nobody: that is an outage like any other.
    static func doubtful(_ reason: String) -> CommandFailure {
        guard reason.hasPrefix(APIError.signInServiceFailure) else { return .signIn(doubtfulSentence(reason)) }
        let deed = reason.dropFirst(APIError.signInServiceFailure.count)
        return CommandFailure(.unavailable, "the server's sign-in service \(deed); nothing is lost; \(later)")
    }

    /// The message for a sign-in that is refused, though nothing says that it has ended.
    ///
    /// Where the sign-in cannot be renewed, its end looks like an outage. Only then somebody is sent to sign in.
    private static func doubtfulSentence(_ reason: String) -> String {
        let isFinal = reason.hasSuffix(APIError.withoutRenewal)
        let fact = isFinal ? String(reason.dropLast(APIError.withoutRenewal.count)) : reason
        let advice = isFinal ? "try again later; if it goes on, sign in again with 'trendy login'" : later
        return "the server does not accept the sign-in (\(fact)), and does not say that it has ended: \(outage); "
            + "nothing is lost; \(advice)"
    }

    /// What a refusal may mean that is not the server's own.
    static let outage = "its sign-in service, or a proxy before it, may be out of order"

    /// What to do during an outage. Another sign-in would fail, too.
    static let later = "try again later, and if it goes on, ask whoever runs the server"

    /// Something refuses a question that needs no sign-in.
    static func refusedHealthCheck(of server: ServerAddress) -> CommandFailure {
        CommandFailure(
            .unavailable, "\(server) answered its health check, which needs no sign-in, with 401: \(outage); \(later)")
    }

    /// The failure of a server that did not answer in time.
    ///
    /// - Parameter advice: What helps on a slow connection; nil for nothing.
    private static func late(_ advice: String?) -> CommandFailure {
        let facts = [APIError.timeout.description, "check the address and the network, then try again", advice]
        return CommandFailure(.unavailable, facts.compactMap(\.self).joined(separator: "; "))
    }

    /// What helps on a slow connection, where the present setting is not known.
    static let moreTime = "on a slow connection, raise the timeout that 'trendy config get timeout' shows"

    /// What helps on a slow connection: more seconds than are set; nil if there are no more.
    ///
    /// - Parameters:
    ///   - timeout: The seconds that are set; nil for the standard.
    ///   - isVariable: Whether an environment variable sets them. Then what the configuration file says does not count.
    static func moreTime(than timeout: Double?, isVariable: Bool = false) -> String? {
        guard case .seconds(let bounds) = Setting.timeout.kind else { return nil }
        let present = timeout ?? 0
        if present >= bounds.upperBound { return nil }
        let seconds = Int(min(bounds.upperBound, max(60, 2 * present)).rounded(.up))
        let command =
            isVariable ? "set \(Setting.timeout.variable) to \(seconds)" : "run 'trendy config set timeout \(seconds)'"
        return "on a slow connection, \(command)"
    }

    /// The understandable part of a network library's message.
    static func readable(_ reason: String) -> String {
        // curl: "Failed to connect to HOST port PORT after 0 ms: Couldn't connect to server".
        var text = reason
        if let after = text.range(of: " ms: "), text.contains(" after ") { text = String(text[after.upperBound...]) }
        if let domain = text.range(of: " (NSURLErrorDomain") { text = String(text[..<domain.lowerBound]) }
        text = Names.trimmed(text)
        if text.hasSuffix(".") { text.removeLast() }
        return text.isEmpty ? "the connection failed" : text
    }

    private static func refusal(_ status: Int, _ problem: ProblemDetails, _ error: APIError) -> String {
        let fields = (problem.errors ?? []).complaints
        return fields.isEmpty ? error.description : "the server refused: \(fields.joined(separator: "; "))"
    }
}

extension CommandContext {
    /// What helps on a slow connection; nil if the timeout has its largest value.
    var moreTime: String? {
        let isVariable = process.environment[Setting.timeout.variable]?.isEmpty == false
        return CommandFailure.moreTime(than: root.configuration.timeout, isVariable: isVariable)
    }
}

extension CommandStatus {
    /// The meaning of the code.
    var meaning: String {
        switch self {
        case .done: "done"
        case .declined: "you did not confirm; nothing was changed"
        case .usage: "the command line is wrong"
        case .data: "the data is wrong, or the server refused changes"
        case .unavailable: "the server cannot be reached, or is not a Trendy server"
        case .software: "an internal error: please report it"
        case .cannotCreate: "a file or folder cannot be created or written"
        case .inputOutput: "reading or writing failed"
        case .tryLater: "the server asked to wait, or the store is in use"
        case .signIn: "you are not signed in, or the server refused the sign-in"
        case .interrupted: "Ctrl-C stopped the command; the work done so far is kept"
        }
    }
}
