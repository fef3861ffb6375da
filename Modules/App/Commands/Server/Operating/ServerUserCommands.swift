import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerUserAddCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make an account.",
        discussion: """
            The password is asked for, unless it comes from standard input or is made.

            Examples:
              trendy server user add ann@example.org
              trendy server user add ann@example.org --generate
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var given: GivenPasswordOptions
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
            "made the account \(account.email)" + (made.map { "; its password is \($0)" } ?? ""),
            json: GivenPassword(email: account.email, id: account.id, password: made))
    }
}

struct ServerUserPasswordCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password", abstract: "Give an account another password; ends its sign-ins.",
        discussion: """
            The password is asked for, unless it comes from standard input or is made.
            The person's devices keep what they have and sign in again.

            Example:
              trendy server user reset-password ann@example.org --generate
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @OptionGroup var given: GivenPasswordOptions
    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        try given.check()
    }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        // Nobody types a password for an account that is not there.
        let account = try manager.account(address).summary
        let password = try given.password(for: manager, in: context)
        let ended = try manager.setPassword(password.text, of: address)
        let made = password.isMade ? password.text : nil
        try context.say(
            "\(account.email) has another password" + (made.map { ", \($0)" } ?? "")
                + "; \(counted(ended, "sign-in")) ended",
            json: GivenPassword(email: account.email, id: account.id, password: made, sessionsEnded: ended))
    }
}

struct ServerUserSignOutCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "End all sign-ins of an account.",
        discussion: """
            Its devices keep what they have, and sync again once somebody has signed in.

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
            json: GivenPassword(email: account.email, id: account.id, sessionsEnded: ended))
    }
}

/// What was done to an account, as JSON.
private struct GivenPassword: Encodable {
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
        commandName: "delete", abstract: "Delete an account with all that it has on the server.",
        discussion: """
            It cannot be taken back; 'user export' writes the records into a file before
            that. What is on the person's devices stays there. Backups still have it.

            Example:
              trendy server user delete ann@example.org
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
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
        commandName: "export", abstract: "Write an account's records as JSON, as 'export json' does.",
        discussion: """
            It is what the server has, at one moment; what a device has not sent yet is not
            in it. 'trendy import json' reads it.

            Example:
              trendy server user export ann@example.org ann.json
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @Argument(help: "The file; standard output otherwise.")
    var file: String?

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        // A file that is there stays as it is where there is no such account.
        _ = try manager.account(address)
        var counts: [EntityType: Int] = [:]
        let export = ExportTarget(path: file == "-" ? nil : file, context: context)
        try export.write { output in
            counts = try manager.export(address, ExportedKinds.all) { try output.write($0) }
        }
        guard let file, !export.isStandardOutput else { return }
        let events = counts[.event, default: 0]
        try context.say(
            "wrote \(counted(events, "event")) of \(address) and what describes them to \(file)",
            json: Exported(file: file, events: events))
    }
}

/// The arrays of an export, in the order in which an import needs them.
enum ExportedKinds {
    static let all: [(name: String, entityType: EntityType)] = [
        ("event_types", .eventType), ("property_definitions", .propertyDefinition), ("geofences", .geofence),
        ("events", .event),
    ]
}

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
