import ArgumentParser
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerCheckCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Look whether the server's data is whole and true. Changes nothing.",
        discussion: """
            It reads the whole database: whether the file is sound, whether each record can
            be read, whether the counts and heads of accounts are those of their records,
            and whether anything belongs to nobody. It ends with 65 where something is
            wrong.

            Example:
              trendy server check --data /var/lib/trendy
            """)

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let report = try place.open(in: context).check()
        if context.wantsJSON {
            try context.output.json(report)
        } else {
            for problem in report.problems { try context.output.line(TextTable.singleLine(problem)) }
            for remain in report.remains { try context.output.line(TextTable.singleLine(remain)) }
            if !report.remains.isEmpty {
                try context.output.line(
                    "what is left of deleted accounts does no harm: 'trendy server prune' removes it")
            }
            let looked = "\(counted(report.accounts, "account")) and \(counted(report.records, "record"))"
            let found = report.problems.isEmpty ? "all is well" : counted(report.problems.count, "problem")
            try context.output.line("looked at \(looked): \(found)")
        }
        if report.problems.isEmpty { return }
        try context.output.flush()
        throw CommandFailure.data(
            "the server's data has \(counted(report.problems.count, "problem")); make a copy of it before anything "
                + "else, and restore a backup that 'trendy server check' finds nothing in")
    }
}
