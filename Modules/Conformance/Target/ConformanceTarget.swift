public import TrendyDomain

/// The server that is held to the protocol, and what a run may use.
public struct ConformanceTarget: Sendable {
    /// Brings a request to the server once and its answer back, whatever the status.
    public typealias Send = @Sendable (WireRequest) async throws -> WireAnswer

    /// An account of the server.
    public struct Login: Sendable, Hashable {
        /// The address that the account signs in with. Reports show it; nothing is sent to it.
        public var email: String
        /// The password in clear text, which goes to the server alone and is in no report.
        public var password: String

        /// Names an account.
        public init(email: String, password: String) {
            self.email = email
            self.password = password
        }
    }

    /// Brings the rules' requests to the server, also several at once.
    ///
    /// An error that it throws means that no answer came, not that the server refused.
    public var send: Send
    /// Waits, where the server asks for a pause.
    public var wait: @Sendable (Duration) async throws -> Void
    /// Tells the time that the ids and timestamps of records are made from.
    ///
    /// A server refuses ids that are more than a minute ahead of its own clock.
    public var wallClock: any WallClock
    /// Makes the ids of records, idempotency keys and the marker: UUIDs of version 7, never one twice.
    public var identifiers: any IdentifierGenerator
    /// The account to work in; nil to sign up for one.
    public var login: Login?
    /// A second account, for what concerns two of them; nil to sign up for one.
    public var otherLogin: Login?
    /// Whether accounts may be made. The protocol has no way to delete them.
    public var maySignUp: Bool

    /// Describes a server.
    public init(
        send: @escaping Send, wait: @escaping @Sendable (Duration) async throws -> Void,
        wallClock: any WallClock = SystemWallClock(), identifiers: (any IdentifierGenerator)? = nil,
        login: Login? = nil, otherLogin: Login? = nil, maySignUp: Bool = true
    ) {
        self.send = send
        self.wait = wait
        self.wallClock = wallClock
        self.identifiers = identifiers ?? UUIDv7Generator(clock: wallClock)
        self.login = login
        self.otherLogin = otherLogin
        self.maySignUp = maySignUp
    }
}

/// Why a run could not begin.
public enum ConformanceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Nothing answers there.
    case unreachable(String)
    /// What answers there does not speak the protocol.
    case notAServer(String)
    /// The server does not accept an e-mail address and password.
    case signInRefused(email: String)
    /// The two accounts that were named are one; rules about two users would fail.
    case sameAccount(email: String, otherEmail: String)
    /// There is no account to work in.
    case noAccount(String)
    /// There is no rule or group of this name.
    case unknownRule(String)

    /// What went wrong, as a sentence without a full stop.
    public var description: String {
        switch self {
        case .unreachable(let reason): "cannot reach the server: \(reason)"
        case .notAServer(let reason): "this is no server of the protocol: \(reason)"
        case .signInRefused(let email): "the server does not accept the password of \(email)"
        case .sameAccount(let email, let other): "\(email) and \(other) are one account"
        case .noAccount(let reason): "there is no account to work in: \(reason)"
        case .unknownRule(let name): "there is no rule or group '\(name)'"
        }
    }
}

extension ConformanceError {
    /// Whether it is the server that would not let the run in.
    var isRefusal: Bool {
        switch self {
        case .signInRefused, .noAccount: true
        case .unreachable, .notAServer, .sameAccount, .unknownRule: false
        }
    }
}
