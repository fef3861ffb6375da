import Foundation
import TrendyNotation
import TrendySync
import TrendyTerminal

/// A finding of a check of `trendy doctor`.
struct HealthFinding: Sendable, Hashable {
    enum Level: String, Encodable, Sendable {
        case ok, warning, problem
    }

    var level: Level
    /// What was found.
    var message: String
    /// What to do; nil if nothing needs to be done.
    var remedy: String?
    /// The exit code of a problem.
    var status: CommandStatus

    static func ok(_ message: String) -> HealthFinding {
        HealthFinding(level: .ok, message: message, remedy: nil, status: .done)
    }

    /// Something that works but needs attention.
    static func warning(_ message: String, remedy: String) -> HealthFinding {
        HealthFinding(level: .warning, message: message, remedy: remedy, status: .done)
    }

    static func problem(_ message: String, remedy: String?, _ status: CommandStatus) -> HealthFinding {
        HealthFinding(level: .problem, message: message, remedy: remedy, status: status)
    }

    /// The finding of an error, whose message has the remedy after a semicolon.
    static func problem(_ error: any Error) -> HealthFinding {
        let failure = CommandFailure(error)
        let (message, remedy) = split(failure.message)
        return .problem(message, remedy: remedy, failure.status)
    }

    private static func split(_ text: String) -> (message: String, remedy: String?) {
        guard let end = text.range(of: "; ", options: .backwards) else { return (text, nil) }
        return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    }
}

/// The findings of all checks.
struct HealthReport: Encodable {
    struct Line: Encodable {
        var check: String
        var finding: HealthFinding

        private enum CodingKeys: String, CodingKey {
            case check, level, message, remedy
        }

        /// Writes all keys, with null for missing values.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(check, forKey: .check)
            try container.encode(finding.level, forKey: .level)
            try container.encode(finding.message, forKey: .message)
            try container.encode(finding.remedy, forKey: .remedy)
        }
    }

    private(set) var lines: [Line] = []
    /// The comparison with the server; nil if it was not requested or could not start.
    var verification: StoreAuditReport?

    mutating func add(_ findings: [HealthFinding], of check: String) {
        lines += findings.map { Line(check: check, finding: $0) }
    }

    private func count(_ level: HealthFinding.Level) -> Int { lines.count { $0.finding.level == level } }

    private enum CodingKeys: String, CodingKey {
        case checks, warnings, problems, verification
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lines, forKey: .checks)
        try container.encode(count(.warning), forKey: .warnings)
        try container.encode(count(.problem), forKey: .problems)
        try container.encode(verification.map(VerificationJSON.init), forKey: .verification)
    }

    /// The report for people: the findings, the comparison, and a summary.
    ///
    /// - Parameter limit: The width in columns; nil for one line per finding.
    func text(columns limit: Int?) -> [String] {
        let names = lines.map(\.check.count).max() ?? 0
        let found = lines.flatMap { line -> [String] in
            let (check, finding) = (line.check, line.finding)
            let remedy = finding.remedy.map { "; \($0)" } ?? ""
            let level = finding.level.rawValue.padded(to: HealthFinding.Level.problem.rawValue.count)
            let label = "\(level)  \(check.padded(to: names))  "
            return Self.wrapped(TextTable.singleLine(finding.message + remedy), behind: label, columns: limit)
        }
        let compared = verification.map { VerificationText(report: $0).lines } ?? []
        return found + (compared.isEmpty ? [] : [""] + compared) + ["", closing]
    }

    /// A text in a column next to its label, or below the label if there is too little room.
    private static func wrapped(_ text: String, behind label: String, columns limit: Int?) -> [String] {
        guard let limit, label.columns + text.columns > limit else { return [label + text] }
        let isBeside = limit - label.columns >= leastColumns
        let indent = isBeside ? label.columns : 2
        let texts = TextWrap.lines(text, columns: limit - indent)
        let below = texts.map { String(repeating: " ", count: indent) + $0 }
        guard isBeside, let first = texts.first else {
            var heading = label
            while heading.last == " " { heading.removeLast() }
            return [heading] + below
        }
        return [label + first] + below.dropFirst()
    }

    /// A narrower column is hard to read.
    private static let leastColumns = 20

    private var closing: String {
        let (warnings, problems) = (count(.warning), count(.problem))
        if warnings == 0, problems == 0 { return "no problems found" }
        return "\(count(.ok)) ok, \(counted(warnings, "warning")), \(counted(problems, "problem"))"
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
