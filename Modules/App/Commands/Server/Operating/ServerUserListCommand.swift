import ArgumentParser
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerUserListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts: records, bytes, last use, sign-ins.",
        discussion: """
            The last use is the latest change, or the last time that a device renewed its
            sign-in, which it does once an hour.

            Example:
              trendy server user list --data /var/lib/trendy
            """)

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        if context.wantsJSON {
            var array = JSONArrayWriter(output: context.output)
            try manager.forEachAccount { try array.add($0) }
            return try array.end()
        }
        var table = TextTable("ADDRESS", "RECORDS", "SIZE", "LAST USED", "SIGN-INS", "MADE", spare: ["MADE"])
        let zone = context.process.zone
        try manager.forEachAccount { account in
            table.add(
                account.email, FigureText.text(Int(account.records)), SizeText.text(account.bytes),
                account.lastUsedAt.map(zone.minuteText) ?? "never", "\(account.sessions)",
                zone.dayText(account.createdAt))
        }
        try context.print(
            table, on: context.screen, whenEmpty: "no accounts yet; make one with 'trendy server user add ADDRESS'")
    }
}
