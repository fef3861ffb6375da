import ArgumentParser
import TrendyNotation
import TrendySync
import TrendyTerminal

struct DoctorCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look whether everything is in order, and say what to do where it is not.",
        discussion: """
            Each line is ok, a warning or a problem; with a problem the command ends with the code of the first
            one, as the command that meets it would. Nothing is mended without --repair.
            With --verify every record is compared with the server's. It receives what is new first, and sends
            nothing; changes that wait are no differences, and are not lost.
            Example:
              trendy doctor
              trendy doctor --verify
              trendy doctor --verify --repair
            """)

    @Flag(name: .long, help: "Compare the records of every kind with the server's.")
    var verify = false

    @Flag(name: .long, help: "Compare, and mend what differs.")
    var repair = false

    @Option(name: .long, help: "The server's URL, where it is not that of the sign-in.")
    var server: String?

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }
    var needsSoundGraph: Bool { false }

    func run(in context: CommandContext) async throws {
        let scene = HealthScene(context: context, isRepair: repair)
        var report = HealthReport()
        for check in HealthCheck.all { report.add(await check.findings(in: scene), of: check.name) }
        if verify || repair {
            let audit = await Verification(context: context).run(repairing: repair)
            report.add(audit.findings, of: Verification.name)
            report.verification = audit.report
        }
        if context.wantsJSON {
            try context.output.json(report)
        } else {
            for line in report.text(columns: context.screen.limit) { try context.output.line(line) }
        }
        let problems = report.lines.map(\.finding).filter { $0.level == .problem }
        if let first = problems.first {
            throw CommandFailure(first.status, "\(counted(problems.count, "problem")) found; see the lines above")
        }
    }
}
