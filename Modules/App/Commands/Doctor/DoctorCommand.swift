import ArgumentParser
import TrendyNotation
import TrendySync
import TrendyTerminal

struct DoctorCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check for problems, and say how to solve them.",
        discussion: """
            Each line is ok, a warning or a problem. The exit code is that of the first problem. Nothing is
            changed without --repair.
            --verify compares every record with the server. It fetches news first and sends nothing. Waiting
            changes do not count as differences, and stay in the queue.
            Example:
              trendy doctor
              trendy doctor --verify
              trendy doctor --verify --repair
            """)

    @Flag(name: .long, help: "Compare all records with the server.")
    var verify = false

    @Flag(name: .long, help: "Repair differences and wrong counts.")
    var repair = false

    @Option(name: .long, help: "The server's URL (default: that of the sign-in).")
    var server: String?

    @OptionGroup var common: CommonOptions

    var flags: [String: String] { server.map { ["server": $0] } ?? [:] }
    var needsSoundGraph: Bool { false }

    func run(in context: CommandContext) async throws {
        let scene = HealthContext(context: context, isRepair: repair)
        var report = HealthReport()
        for check in HealthCheck.all { report.add(await check.findings(in: scene), of: check.name) }
        if verify || repair {
            let audit = await Verification(context: context).run(repairing: repair)
            report.add(audit.findings, of: Verification.name)
            report.verification = audit.report
        } else if scene.store == .sound {
            report.add(await Verification(context: context).last(), of: Verification.name)
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
