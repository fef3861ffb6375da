/// One rule of the protocol, which any server can be held to.
public struct ConformanceRule: Sendable, CustomStringConvertible {
    /// What a rule is about.
    public enum Group: String, CaseIterable, Sendable, Codable {
        case routes, records, patch, idempotency, feed, cascades, isolation, limits, errors, auth
    }

    /// The group and a few words: `patch.null-clears`.
    public let name: String
    public let group: Group
    /// What the server must do, in one sentence.
    public let demand: String
    /// Where the protocol says so.
    public let section: Section
    /// Whether it sends so much, or waits so long, that it runs only when asked for.
    public let isPatient: Bool
    let check: @Sendable (Probe) async throws -> Void

    public var description: String { name }

    /// Where a rule is written down.
    public enum Section: String, CaseIterable, Sendable, Codable {
        case records = "Records"
        case routes = "Routes"
        case patch = "PUT is a patch"
        case keys = "Idempotency-Key"
        case ids = "Ids"
        case cascades = "Deleting an event type"
        case healthKit = "HealthKit events"
        case errors = "Errors"
        case limits = "Limits"
        case openAPI = "openapi.yaml"
    }

    /// - Parameter name: What distinguishes it in its group.
    init(
        _ group: Group, _ name: String, _ demand: String, _ section: Section, isPatient: Bool = false,
        check: @escaping @Sendable (Probe) async throws -> Void
    ) {
        self.name = "\(group.rawValue).\(name)"
        self.group = group
        self.demand = demand
        self.section = section
        self.isPatient = isPatient
        self.check = check
    }
}

extension ConformanceRule {
    /// Every rule, in the order in which they run.
    public static let all: [ConformanceRule] =
        routeRules + recordRules + patchRules + idempotencyRules + feedRules + cascadeRules + isolationRules
        + limitRules + errorRules + authRules

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
