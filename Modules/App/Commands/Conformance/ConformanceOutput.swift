import TrendyConformance
import TrendyNotation
import TrendyTerminal

/// The results of a run, for people.
struct ConformanceText {
    /// The length of the longest name.
    let width: Int
    /// Whether the requests of passed rules are shown, too.
    var isVerbose = false

    /// The result of a rule; if it did not pass, with the evidence.
    func lines(of result: ConformanceResult) -> [String] {
        let name = result.rule.padding(to: width)
        let verdict = Self.word(result.verdict).padding(to: 11)
        if [.pass, .notSeen].contains(result.verdict) && !isVerbose {
            return [TextTable.singleLine("\(verdict)  \(result.rule)")]
        }
        var lines = ["\(verdict)  \(name)  \(result.demand)"]
        let indent = String(repeating: " ", count: 13)
        if let reason = result.reason { lines.append("\(indent)\(reason)") }
        for deviation in result.deviations {
            lines.append("\(indent)\(deviation.name.rawValue): \(deviation.reason)")
        }
        for exchange in result.exchanges {
            let key = exchange.idempotencyKey.map { " Idempotency-Key: \($0)" } ?? ""
            lines.append("\(indent)> \(exchange.request)\(key) \(exchange.requestBody ?? "")")
            let type = exchange.contentType.map { " \($0)" } ?? ""
            lines.append("\(indent)< \(exchange.status)\(type) \(exchange.answerBody ?? "")")
        }
        return lines.map(TextTable.singleLine)
    }

    func summary(of report: ConformanceReport) -> [String] {
        var lines: [String] = []
        if !report.endedBeforeTheFirstRule {
            let score = report.earnedScore.map { "score \($0) of 100\(Self.unchecked(report))" } ?? "no score"
            let unseen = report.count(.notSeen) == 0 ? "" : "\(report.count(.notSeen)) not seen, "
            lines.append(
                "\(counted(report.results.count, "rule")): \(report.count(.pass)) pass, \(report.count(.fail)) fail, "
                    + "\(report.count(.deviation)) deviate, \(unseen)\(report.count(.notChecked)) not checked; \(score)"
            )
        }
        if !report.accountsMade.isEmpty {
            lines.append("accounts that remain, because the protocol cannot delete them: \(list(report.accountsMade))")
        }
        if !report.leftBehind.isEmpty {
            lines.append("could not be deleted: \(list(report.leftBehind)) (names with \(report.marker))")
        }
        return lines.map(TextTable.singleLine)
    }

    /// A remark that the score ignores unchecked rules.
    private static func unchecked(_ report: ConformanceReport) -> String {
        let count = report.count(.notChecked)
        return count == 0 ? "" : " for the checked rules"
    }

    /// The first names; there can be thousands, which `--json` lists.
    private func list(_ names: [String]) -> String {
        let more = names.count - 20
        return names.prefix(20).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    private static func word(_ verdict: ConformanceVerdict) -> String {
        verdict.rawValue.replacing("_", with: " ")
    }

    /// Lists rules with their demands and references.
    ///
    /// - Parameter leftOut: Rules that need `--patient`, for a remark.
    @MainActor
    static func list(_ rules: [ConformanceRule], leftOut: [ConformanceRule], in context: CommandContext) throws {
        if context.wantsJSON { return try context.output.jsonArray(rules.map(ConformanceJSON.Rule.init)) }
        var table = TextTable("RULE", "SECTION", "DEMAND")
        for rule in rules { table.add(rule.name, rule.section.rawValue, rule.demand) }
        try context.print(table, whenEmpty: "there are no rules")
        if leftOut.isEmpty { return }
        try context.remark("left out without --patient: \(leftOut.map(\.name).joined(separator: ", "))")
    }
}

extension ConformanceReport {
    /// The score; nil if no rule was checked.
    var earnedScore: Int? { results.count == count(.notChecked) + count(.notSeen) ? nil : score }

    /// Whether the run was stopped before the first result.
    var endedBeforeTheFirstRule: Bool { wasInterrupted && results.isEmpty }
}

extension String {
    fileprivate func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

/// The results of a run as JSON; all keys are always present.
struct ConformanceJSON: Encodable {
    var server: String
    var report: ConformanceReport

    private enum CodingKeys: String, CodingKey {
        case server, marker, score, interrupted, results
        case passed, failed, deviating
        case notSeen = "not_seen"
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
        try container.encode(report.count(.notSeen), forKey: .notSeen)
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

    /// A rule, for `--list --json`.
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
