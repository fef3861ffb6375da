/// One rule of the protocol, which any server can be held to.
public struct ConformanceRule: Sendable, CustomStringConvertible {
    /// What a rule is about.
    public enum Group: String, CaseIterable, Sendable, Codable {
        /// The first part of a rule's name.
        case routes, records, patch, idempotency, feed, cascades, isolation, limits, errors, auth, exchange
    }

    /// The group and a few words: `patch.null-clears`.
    public let name: String
    /// The part of the protocol that it belongs to, and that runs it by this name too.
    public let group: Group
    /// What the server must do, in one sentence.
    public let demand: String
    /// Where the protocol says so.
    public let section: Section
    /// Whether it sends so much, or waits so long, that it runs only when asked for.
    public let isPatient: Bool
    /// Whether a server can break it only where requests meet by chance. A run without a fault does not pass then.
    public let isRace: Bool
    let check: @Sendable (Probe) async throws -> Void

    /// The name.
    public var description: String { name }

    /// Where a rule is written down.
    public enum Section: String, CaseIterable, Sendable, Codable {
        /// What the fields of the records are, and which values they may have.
        case records = "Records"
        /// What each path and method answers.
        case routes = "Routes"
        /// What a PUT does with fields that it names, sets to null or leaves out.
        case patch = "PUT is a patch"
        /// What a request that comes again with its key is answered.
        case keys = "Idempotency-Key"
        /// Which ids a client may make, and whose they are.
        case ids = "Ids"
        /// What goes with an event type, and what the feed says of it.
        case cascades = "Deleting an event type"
        /// What becomes of an event that is the same HealthKit sample as another.
        case healthKit = "HealthKit events"
        /// What a refusal looks like, and which status it has.
        case errors = "Errors"
        /// How large a body may be and how often a client may ask.
        case limits = "Limits"
        /// What only the description of the HTTP API says.
        case openAPI = "openapi.yaml"
        /// What Docs/Protocol.md says of `POST /sync`.
        case exchange = "The exchange"
    }

    /// - Parameter name: What distinguishes it in its group.
    init(
        _ group: Group, _ name: String, _ demand: String, _ section: Section, isPatient: Bool = false,
        isRace: Bool = false,
        check: @escaping @Sendable (Probe) async throws -> Void
    ) {
        self.name = "\(group.rawValue).\(name)"
        self.group = group
        self.demand = demand
        self.section = section
        self.isPatient = isPatient
        self.isRace = isRace
        self.check = check
    }
}

extension ConformanceRule {
    /// Every rule, in the order in which they run.
    public static let all: [ConformanceRule] =
        routeRules + recordRules + patchRules + idempotencyRules + feedRules + cascadeRules + isolationRules
        + limitRules + errorRules + authRules + exchangeRules

    /// The rules of these names or groups; all that are not patient where there is no name.
    ///
    /// - Throws: ``ConformanceError/unknownRule(_:)``.
    public static func named(_ names: [String], patient: Bool = false) throws(ConformanceError) -> [ConformanceRule] {
        for name in names where !all.contains(where: { $0.name == name || $0.group.rawValue == name }) {
            throw .unknownRule(name)
        }
        if names.isEmpty { return all.filter { patient || !$0.isPatient } }
        return all.filter { rule in
            names.contains(rule.name) || (names.contains(rule.group.rawValue) && (patient || !rule.isPatient))
        }
    }
}
