import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerUserShowCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account with its devices.",
        discussion: "Example:\n  trendy server user show ann@example.org")

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let account = try place.open(in: context).account(address)
        if context.wantsJSON { return try context.output.json(account) }
        let (zone, summary) = (context.process.zone, account.summary)
        let kinds = account.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        let facts: [(String, String?)] = [
            ("address", summary.email), ("id", summary.id), ("made", zone.minuteText(summary.createdAt)),
            ("last used", summary.lastUsedAt.map(zone.minuteText) ?? "never"),
            ("records", kinds.isEmpty ? "none" : "\(kinds); \(SizeText.text(summary.bytes))"),
            ("latest change", account.head.epoch.map { "\(account.head.head) of history \($0)" }),
            ("signed in", summary.sessions == 0 ? "nowhere" : counted(summary.sessions, "device")),
        ]
        for line in FactLines.of(facts.map { (name: $0.0, value: $0.1) }) { try context.output.line(line) }
        for session in account.sessions {
            let name = session.device ?? "unnamed device"
            try context.output.line(
                TextTable.singleLine(
                    "  \(name), since \(zone.dayText(session.createdAt)), last \(zone.minuteText(session.usedAt))"))
        }
    }
}
