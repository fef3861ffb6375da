import ArgumentParser
import Foundation
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Manage a server: its accounts, backups and data.",
        discussion: """
            Run these commands on the machine of the server. They use the data directly, and
            the server may be running, except for 'restore' and 'move'. Give the same
            --data or --database as for 'trendy serve'; the default is the same, too.

            Examples:
              trendy server user list --data /var/lib/trendy
              trendy server backup /backup/trendy.sqlite
            """,
        subcommands: [
            ServerUserGroup.self, ServerInviteCommand.self, ServerBackupCommand.self, ServerRestoreCommand.self,
            ServerPruneCommand.self,
            ServerCheckCommand.self, ServerMoveCommand.self,
        ])
}

struct ServerUserGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the accounts of a server.",
        discussion: "Example:\n  trendy server user show ann@example.org",
        subcommands: [
            ServerUserListCommand.self, ServerUserShowCommand.self, ServerUserAddCommand.self,
            ServerUserDeleteCommand.self, ServerUserPasswordCommand.self, ServerUserSignOutCommand.self,
            ServerUserExportCommand.self,
        ])
}

/// A command of an operator: it uses the data of a server, and not the store of the person who runs it.
protocol OperatorCommand: RunnableCommand {}

extension OperatorCommand {
    var needsSettings: Bool { false }
}

/// The location of a server's data.
struct ServerDataOptions: ParsableArguments {
    @Option(name: .long, help: "The folder of the server's data, as for 'serve'.")
    var data: String?

    @Option(name: .long, help: "The URL of the PostgreSQL database.")
    var database: String?

    func check() throws {
        if data != nil && database != nil {
            throw CommandFailure.usage("--database and --data cannot be used together")
        }
    }

    /// The folder of the data.
    @MainActor
    func folder(in context: CommandContext) throws -> URL {
        let folder = data ?? context.root.configuration.folders.server
        if folder.isEmpty { throw CommandFailure.usage("--data needs a folder") }
        return URL(fileURLWithPath: folder, isDirectory: true)
    }

    /// Opens the data.
    @MainActor
    func open(in context: CommandContext) throws -> ServerOperator {
        if let database { return try ServerOperator(database: database, clock: context.process.wallClock) }
        return try ServerOperator(dataDirectory: try folder(in: context), clock: context.process.wallClock)
    }
}

/// The source of a password that an operator sets.
struct AccountPasswordOptions: ParsableArguments {
    @Flag(name: .long, help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @Flag(name: .long, help: "Generate a password and print it.")
    var generate = false

    func check() throws {
        if passwordStdin && generate {
            throw CommandFailure.usage("--generate and --password-stdin cannot be used together")
        }
    }

    /// The password, and whether it was generated and must be printed.
    @MainActor
    func password(for manager: ServerOperator, in context: CommandContext) throws -> (text: String, isMade: Bool) {
        if generate { return (manager.makePassword(), true) }
        let source = PasswordSource(context: context, isStandardInput: passwordStdin)
        try source.require("give it with --password-stdin, or generate one with --generate")
        return (try source.password(isNew: true), false)
    }
}

struct ServerInviteCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Create an invitation code for one sign-up.",
        discussion: """
            A server with 'trendy serve --closed' needs an invitation for each sign-up. The
            code is shown only now; the server stores a hash of it.

            Example:
              trendy server invite ann@example.org --expires 3d
            """)

    @Argument(help: "The address that may use it (default: any).")
    var address: String?

    @Option(name: .long, help: "How long the code is valid, like 7d or 12h.")
    var expires = "7d"

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        _ = try seconds()
    }

    private func seconds() throws -> Double {
        guard expires.contains(where: \.isLetter), let seconds = DurationText.parse(expires), seconds > 0 else {
            throw CommandFailure.usage("--expires '\(expires)' is not a duration; write it like 7d or 12h")
        }
        return seconds
    }

    func run(in context: CommandContext) async throws {
        let invitation = try place.open(in: context).invite(address, lasting: try seconds())
        let end = context.process.zone.minuteText(invitation.expiresAt)
        let whom = invitation.email ?? "one person"
        try context.say(
            "\(whom) can sign up until \(end): trendy signup --server URL --invite \(invitation.code)",
            json: invitation)
    }
}

struct ServerCheckCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the server's data for damage. Changes nothing.",
        discussion: """
            The check reads the whole database: the file, each record, the counts and heads
            of the accounts, and data that belongs to no account. It exits with 65 if it
            finds a problem.

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
                    "remains of deleted accounts are harmless; remove them with 'trendy server prune'")
            }
            let looked = "\(counted(report.accounts, "account")) and \(counted(report.records, "record"))"
            let found = report.problems.isEmpty ? "no problems found" : counted(report.problems.count, "problem")
            try context.output.line("checked \(looked): \(found)")
        }
        if report.problems.isEmpty { return }
        try context.output.flush()
        throw CommandFailure.data(
            "the server's data has \(counted(report.problems.count, "problem")); first make a copy of it, "
                + "then restore a backup without problems")
    }
}

struct ServerPruneCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove the traces of records that were deleted long ago.",
        discussion: """
            A deleted record leaves a tombstone, which tells devices of the deletion. A
            device that has not synced since the tombstone was removed fetches all records
            again; its waiting changes are kept. Also removed are request keys of the same
            age (at least 90 days), and expired sign-ins and invitations.

            Example:
              trendy server prune --older-than 90d
            """)

    @Option(name: .long, help: "The minimum age, like 90d or 12w.")
    var olderThan: String

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        _ = try seconds()
    }

    private func seconds() throws -> Double {
        guard olderThan.contains(where: \.isLetter), let seconds = DurationText.parse(olderThan) else {
            throw CommandFailure.usage("--older-than '\(olderThan)' is not a duration; write it like 90d or 12w")
        }
        return seconds
    }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let moment = context.now.advanced(bySeconds: -(try seconds()))
        let day = context.process.zone.minuteText(moment)
        try context.confirmation(yes).require(
            "remove the traces of records that were deleted before \(day); devices that have not synced since then "
                + "will fetch all records again")
        let report = try manager.prune(before: moment)
        let remains = report.remains > 0 ? " and the remains of \(counted(report.remains, "deleted account"))" : ""
        try context.say(
            "removed \(counted(report.tombstones, "tombstone")) and \(counted(report.keys, "key")) from before "
                + "\(day)\(remains)", json: report)
    }
}
