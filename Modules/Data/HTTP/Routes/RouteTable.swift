public import TrendyDomain

/// All routes of a backend, as data: another backend is another table.
public struct RouteTable: Sendable {
    /// The base path of the contract.
    public static let defaultBasePath = "/api/v1"

    /// The path before all others but the one of the health check.
    public var basePath: String
    /// The path of the health check, beside the base path.
    public var healthPath: String
    public var changesPath: String
    public var latestCursorPath: String
    public var account: AccountRoutes
    /// The routes of each kind of record.
    public var records: [EntityType: RecordRoutes]
    /// The body of a page of changes.
    public var changesBody: BodyMapping?
    /// The body `{"cursor": N}`.
    public var latestCursorBody: BodyMapping?

    /// Describes a backend; what is not given is as the contract has it.
    public init(
        basePath: String = RouteTable.defaultBasePath, healthPath: String = "/health",
        changesPath: String = "/changes", latestCursorPath: String = "/changes/latest-cursor",
        account: AccountRoutes = AccountRoutes(), records: [EntityType: RecordRoutes],
        changesBody: BodyMapping? = nil, latestCursorBody: BodyMapping? = nil
    ) {
        self.basePath = basePath
        self.healthPath = healthPath
        self.changesPath = changesPath
        self.latestCursorPath = latestCursorPath
        self.account = account
        self.records = records
        self.changesBody = changesBody
        self.latestCursorBody = latestCursorBody
    }

    /// The routes of Trendy's own server, version 1.
    public static let trendy = RouteTable(records: [
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

/// The routes for accounts and sign-in.
public struct AccountRoutes: Sendable, Hashable {
    public var signup: String
    public var login: String
    /// Nil where the backend cannot renew a token.
    public var refresh: String?
    public var logout: String
    public var me: String

    /// Describes the routes; what is not given is as the contract has it.
    public init(
        signup: String = "/auth/signup", login: String = "/auth/login", refresh: String? = "/auth/refresh",
        logout: String = "/auth/logout", me: String = "/auth/me"
    ) {
        self.signup = signup
        self.login = login
        self.refresh = refresh
        self.logout = logout
        self.me = me
    }
}
