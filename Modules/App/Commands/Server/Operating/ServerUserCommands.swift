import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerUserAddCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create an account.",
        discussion: """
            The command asks for the password, unless an option says otherwise.

            Examples:
              trendy server user add ann@example.org
              trendy server user add ann@example.org --generate
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var given: AccountPasswordOptions
    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        try given.check()
    }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let password = try given.password(for: manager, in: context)
        let account = try manager.addAccount(address, password: password.text)
        let made = password.isMade ? password.text : nil
        try context.say(
            "created the account \(account.email)" + (made.map { "; the password is \($0)" } ?? ""),
            json: AccountPassword(email: account.email, id: account.id, password: made))
    }
}

struct ServerUserPasswordCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password", abstract: "Set a new password for an account, and end its sign-ins.",
        discussion: """
            The command asks for the password, unless an option says otherwise. The devices
            of the account keep their records, and must sign in again.

            Example:
              trendy server user reset-password ann@example.org --generate
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var given: AccountPasswordOptions
    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        try given.check()
    }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        // The account is checked first, so that nobody types a password in vain.
        let account = try manager.account(address).summary
        let password = try given.password(for: manager, in: context)
        let ended = try manager.setPassword(password.text, of: address)
        let made = password.isMade ? password.text : nil
        try context.say(
            "changed the password of \(account.email)" + (made.map { " to \($0)" } ?? "")
                + "; \(counted(ended, "sign-in")) ended",
            json: AccountPassword(email: account.email, id: account.id, password: made, sessionsEnded: ended))
    }
}

struct ServerUserSignOutCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "End all sign-ins of an account.",
        discussion: """
            The devices keep their records, and sync again after the next sign-in.

            Example:
              trendy server user sign-out ann@example.org
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let account = try manager.account(address).summary
        let ended = try manager.signOut(address)
        try context.say(
            "\(counted(ended, "sign-in")) of \(account.email) ended",
            json: AccountPassword(email: account.email, id: account.id, sessionsEnded: ended))
    }
}

/// The account and its new password, as JSON.
private struct AccountPassword: Encodable {
    var email: String
    var id: String
    var password: String?
    var sessionsEnded: Int?

    private enum CodingKeys: String, CodingKey {
        case email, id, password
        case sessionsEnded = "sessions_ended"
    }
}

struct ServerUserDeleteCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an account and all its data on the server.",
        discussion: """
            This cannot be undone. To keep a copy, run 'trendy server user export' before.
            The devices of the account keep their records. Older backups keep the account.

            Example:
              trendy server user delete ann@example.org
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let account = try manager.account(address).summary
        let records = counted(Int(account.records), "record")
        let sessions = counted(account.sessions, "sign-in")
        try context.confirmation(yes).require(
            "delete the account \(account.email) with \(records) (\(SizeText.text(account.bytes))) and \(sessions), "
                + "for ever")
        try manager.deleteAccount(address)
        try context.say("deleted the account \(account.email) with \(records)", json: account)
    }
}

struct ServerUserExportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export an account's records, in the format of 'export json'.",
        discussion: """
            The file has the server's records of one moment, without changes that devices have
            not sent yet. 'trendy import json' reads it.

            Example:
              trendy server user export ann@example.org ann.json
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @Argument(help: "The file (default: standard output).")
    var file: String?

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        // The account is checked before an existing file is replaced.
        _ = try manager.account(address)
        var counts: [EntityType: Int] = [:]
        let export = ExportTarget(path: file == "-" ? nil : file, context: context)
        try export.write { output in
            counts = try manager.export(address, ExportedKinds.all) { try output.write($0) }
        }
        guard let file, !export.isStandardOutput else { return }
        let events = counts[.event, default: 0]
        try context.say(
            "wrote \(counted(events, "event")) of \(address) and their definitions to \(file)",
            json: ExportResult(file: file, events: events))
    }
}

/// The arrays of an export; definitions come before the events that need them.
enum ExportedKinds {
    static let all: [(name: String, entityType: EntityType)] = [
        ("event_types", .eventType), ("property_definitions", .propertyDefinition), ("geofences", .geofence),
        ("events", .event),
    ]
}

struct ServerUserListCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the accounts with records, size, last use and sign-ins.",
        discussion: """
            The last use is the latest change, or the last renewal of a sign-in. Devices renew
            their sign-ins once an hour.

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
            table, on: context.screen, whenEmpty: "no accounts yet; create one with 'trendy server user add ADDRESS'")
    }
}

struct ServerUserShowCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account and its devices.",
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
            ("latest change", account.head.epoch.map { "\(account.head.head) of epoch \($0)" }),
            ("signed in", summary.sessions == 0 ? "on no device" : counted(summary.sessions, "device")),
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
