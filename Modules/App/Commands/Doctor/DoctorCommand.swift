import ArgumentParser

struct DoctorCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look whether everything is in order, and say what to do where it is not.",
        discussion: """
            It mends nothing. Each line is ok, a warning or a problem; with a problem the command ends with
            the code of the first one, as the command that meets it would.
            Example:
              trendy doctor
              trendy doctor --json
            """)

    @Option(name: .long, help: "The server's URL, where it is not that of the sign-in.")
    var server: String?

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }
    var needsSoundGraph: Bool { false }

    func run(in context: CommandContext) async throws {
        var report = HealthReport()
        for check in HealthCheck.all {
            for finding in await check.findings(in: context) {
                report.lines.append(HealthReport.Line(check: check.name, finding: finding))
            }
        }
        if context.wantsJSON {
            try context.output.json(report)
        } else {
            for line in report.text { try context.output.line(line) }
        }
        let problems = report.lines.map(\.finding).filter { $0.level == .problem }
        if let first = problems.first {
            throw CommandFailure(first.status, "\(counted(problems.count, "problem")) found; see the lines above")
        }
    }
}

/// What all checks found.
struct HealthReport: Encodable {
    struct Line: Encodable {
        var check: String
        var finding: HealthFinding

        private enum CodingKeys: String, CodingKey {
            case check, level, message, remedy
        }

        /// Every key is always there.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(check, forKey: .check)
            try container.encode(finding.level, forKey: .level)
            try container.encode(finding.message, forKey: .message)
            try container.encode(finding.remedy, forKey: .remedy)
        }
    }

    var lines: [Line] = []

    private enum CodingKeys: String, CodingKey {
        case checks, warnings, problems
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(lines, forKey: .checks)
        try container.encode(lines.count { $0.finding.level == .warning }, forKey: .warnings)
        try container.encode(lines.count { $0.finding.level == .problem }, forKey: .problems)
    }

    /// The same for people: level, check, what was found and what to do.
    var text: [String] {
        let names = lines.map(\.check.count).max() ?? 0
        return lines.map { line in
            let (check, finding) = (line.check, line.finding)
            let remedy = finding.remedy.map { "; \($0)" } ?? ""
            let level = finding.level.rawValue.padded(to: HealthFinding.Level.problem.rawValue.count)
            return "\(level)  \(check.padded(to: names))  \(TextTable.singleLine(finding.message + remedy))"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
