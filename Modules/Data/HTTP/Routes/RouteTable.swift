public import TrendyDomain

/// All routes of a backend, as data: another backend is another table.
public struct RouteTable: Sendable {
    /// The base path of the contract.
    public static let defaultBasePath = "/api/v1"

    /// The path before all others but the one of the health check.
    public var basePath: String
    /// The path of the health check, beside the base path.
    public var healthPath: String
    /// The path of the change feed, below the API's root.
    public var changesPath: String
    /// What the feed's parameters are called.
    public var changesParameters: ChangesParameters
    /// The path that tells the feed's end, below the API's root.
    public var latestCursorPath: String
    /// The path of the exchange, below the API's root; nil where the backend has none.
    ///
    /// Its bodies are the contract's: no mapping applies to them.
    public var exchangePath: String?
    /// The path of the stream that tells when there is something to sync, below the API's root; nil where the backend
    /// has none.
    public var livePath: String?
    /// Where accounts are made, and where people sign in and out.
    public var account: AccountRoutes
    /// The header that carries the token.
    public var tokenHeader: TokenHeader
    /// The routes of each kind of record.
    public var records: [EntityType: RecordRoutes]
    /// The body of a page of changes.
    public var changesBody: BodyMapping?
    /// The body `{"cursor": N}`.
    public var latestCursorBody: BodyMapping?
    /// The body of the health check: `{"status": "ok"}` where all is well.
    public var healthBody: BodyMapping?
    /// The bodies of sign-up, sign-in and renewal and their answers, and of the account.
    public var accountBody: BodyMapping?
    /// The body of a refusal: the members of a problem document, such as `detail`.
    public var problemBody: BodyMapping?

    /// Describes a backend. What is not given is as the contract has it, except for the exchange and the stream: a
    /// backend has them only if that is said.
    public init(
        basePath: String = RouteTable.defaultBasePath, healthPath: String = "/health",
        changesPath: String = "/changes", changesParameters: ChangesParameters = ChangesParameters(),
        latestCursorPath: String = "/changes/latest-cursor", exchangePath: String? = nil,
        livePath: String? = nil,
        account: AccountRoutes = AccountRoutes(),
        tokenHeader: TokenHeader = .bearer, records: [EntityType: RecordRoutes], changesBody: BodyMapping? = nil,
        latestCursorBody: BodyMapping? = nil, healthBody: BodyMapping? = nil, accountBody: BodyMapping? = nil,
        problemBody: BodyMapping? = nil
    ) {
        self.basePath = basePath
        self.healthPath = healthPath
        self.changesPath = changesPath
        self.changesParameters = changesParameters
        self.latestCursorPath = latestCursorPath
        self.exchangePath = exchangePath
        self.livePath = livePath
        self.account = account
        self.tokenHeader = tokenHeader
        self.records = records
        self.changesBody = changesBody
        self.latestCursorBody = latestCursorBody
        self.healthBody = healthBody
        self.accountBody = accountBody
        self.problemBody = problemBody
    }

    /// The routes of Trendy's own server, version 1.
    public static let trendy = RouteTable(
        exchangePath: "/sync", livePath: "/sync/live",
        records: [
            .event: RecordRoutes(
                path: "/events", paging: .offset(limit: 1000),
                batch: RecordRoutes.Batch(path: "/events/batch", key: "events", limit: 500)),
            .eventType: RecordRoutes(path: "/event-types"),
            .geofence: RecordRoutes(path: "/geofences", activeParameter: "active"),
            .propertyDefinition: RecordRoutes(
                path: "/property-definitions",
                nesting: RecordRoutes.Nesting(
                    parent: .eventType, field: "event_type_id", path: "/event-types/{parent}/properties")),
        ])
}

/// What the parameters of the change feed are called.
public struct ChangesParameters: Sendable, Hashable {
    /// The cursor after which changes are asked for.
    public var cursor: String
    /// How many of them at most.
    public var limit: String

    /// Names the parameters; what is not given is as the contract has it.
    public init(cursor: String = "since", limit: String = "limit") {
        self.cursor = cursor
        self.limit = limit
    }
}

/// The header by which a request says who sends it.
public struct TokenHeader: Sendable, Hashable {
    /// The header's name.
    public var name: String
    /// What stands before the token, the space included.
    public var prefix: String

    /// Describes the header.
    public init(name: String, prefix: String = "") {
        self.name = name
        self.prefix = prefix
    }

    /// `Authorization: Bearer TOKEN`, as the contract has it.
    public static let bearer = TokenHeader(name: "Authorization", prefix: "Bearer ")
}

/// The routes for accounts and sign-in. Each is nil where the backend has none.
public struct AccountRoutes: Sendable, Hashable {
    /// The path that makes an account.
    public var signup: String?
    /// The path that signs in.
    public var login: String?
    /// The path that renews a token.
    public var refresh: String?
    /// The path that signs out; without one, signing out takes the credentials away here and tells nobody.
    public var logout: String?
    /// The path that tells who is signed in.
    public var me: String?
    /// The path that changes the password.
    public var password: String?
    /// The path that lists sign-ins and ends them.
    public var sessions: String?
    /// The path that deletes the account.
    public var deletion: String?

    /// Describes the routes; what is not given is as the contract has it.
    public init(
        signup: String? = "/auth/signup", login: String? = "/auth/login", refresh: String? = "/auth/refresh",
        logout: String? = "/auth/logout", me: String? = "/auth/me", password: String? = "/auth/password",
        sessions: String? = "/auth/sessions", deletion: String? = "/auth/delete"
    ) {
        self.signup = signup
        self.login = login
        self.refresh = refresh
        self.logout = logout
        self.me = me
        self.password = password
        self.sessions = sessions
        self.deletion = deletion
    }

    /// A backend without sign-in: it knows who sends by a fixed key, which an ``EnvironmentCredentialStore`` holds.
    public static let absent = AccountRoutes(
        signup: nil, login: nil, refresh: nil, logout: nil, me: nil, password: nil, sessions: nil, deletion: nil)
}
