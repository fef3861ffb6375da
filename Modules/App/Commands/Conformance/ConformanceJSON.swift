import TrendyConformance

/// A run as `--json` has it. Every key is always there.
struct ConformanceJSON: Encodable {
    var server: String
    var report: ConformanceReport

    private enum CodingKeys: String, CodingKey {
        case server, marker, score, interrupted, results
        case passed, failed, deviating
        case notChecked = "not_checked"
        case accountsMade = "accounts_made"
        case leftBehind = "left_behind"
        case lostServer = "lost_server"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(server, forKey: .server)
        try container.encode(report.marker, forKey: .marker)
        try container.encode(report.earnedScore, forKey: .score)
        try container.encode(report.count(.pass), forKey: .passed)
        try container.encode(report.count(.fail), forKey: .failed)
        try container.encode(report.count(.deviation), forKey: .deviating)
        try container.encode(report.count(.notChecked), forKey: .notChecked)
        try container.encode(report.wasInterrupted, forKey: .interrupted)
        try container.encode(report.lostServer, forKey: .lostServer)
        try container.encode(report.accountsMade, forKey: .accountsMade)
        try container.encode(report.leftBehind, forKey: .leftBehind)
        try container.encode(report.results.map(Result.init), forKey: .results)
    }

    /// A rule's result.
    struct Result: Encodable {
        var result: ConformanceResult

        private enum CodingKeys: String, CodingKey {
            case rule, group, demand, section, verdict, reason, deviations, exchanges
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(result.rule, forKey: .rule)
            try container.encode(result.group, forKey: .group)
            try container.encode(result.demand, forKey: .demand)
            try container.encode(result.section, forKey: .section)
            try container.encode(result.verdict, forKey: .verdict)
            try container.encode(result.reason, forKey: .reason)
            try container.encode(result.deviations, forKey: .deviations)
            try container.encode(result.exchanges, forKey: .exchanges)
        }
    }

    /// A rule as `--list --json` has it.
    struct Rule: Encodable {
        var rule: String
        var group: ConformanceRule.Group
        var demand: String
        var section: ConformanceRule.Section
        var patient: Bool

        init(_ rule: ConformanceRule) {
            self.rule = rule.name
            group = rule.group
            demand = rule.demand
            section = rule.section
            patient = rule.isPatient
        }
    }
}
