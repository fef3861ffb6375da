import ArgumentParser
import Foundation
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Look after a server: its accounts, backups and data.",
        discussion: """
            These work on the data itself, on the machine where it is, and also while the
            server runs: --data DIR or --database URL, as it was given to 'trendy serve'.
            Without either it is the folder that 'trendy serve' takes.
            'restore' needs the server to be stopped.

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
        commandName: "user", abstract: "See, make, mend and delete accounts.",
        discussion: "Example:\n  trendy server user show ann@example.org",
        subcommands: [
            ServerUserListCommand.self, ServerUserShowCommand.self, ServerUserAddCommand.self,
            ServerUserDeleteCommand.self, ServerUserPasswordCommand.self, ServerUserSignOutCommand.self,
            ServerUserExportCommand.self,
        ])
}

/// A command of an operator, which works on a server's data and on nothing of the person who runs it.
protocol OperatorCommand: RunnableCommand {}

extension OperatorCommand {
    var needsSettings: Bool { false }
}

/// Where a server's data is.
struct ServerDataOptions: ParsableArguments {
    @Option(name: .long, help: "The folder of the server's data, as for 'serve'.")
    var data: String?

    @Option(name: .long, help: "PostgreSQL's URL, instead of a folder.")
    var database: String?

    func check() throws {
        if data != nil && database != nil { throw CommandFailure.usage("--database excludes --data") }
    }

    /// The folder of the data.
    @MainActor
    func folder(in context: CommandContext) throws -> URL {
        let folder = data ?? context.root.configuration.folders.server
        if folder.isEmpty { throw CommandFailure.usage("--data needs a folder") }
        return URL(fileURLWithPath: folder, isDirectory: true)
    }

    /// What works on the data.
    @MainActor
    func open(in context: CommandContext) throws -> ServerOperator {
        if let database { return try ServerOperator(database: database, clock: context.process.wallClock) }
        return try ServerOperator(dataDirectory: try folder(in: context), clock: context.process.wallClock)
    }
}

/// Where the password of an account comes from, which an operator gives it.
struct GivenPasswordOptions: ParsableArguments {
    @Flag(name: .long, help: "Read the password from standard input, one line.")
    var passwordStdin = false

    @Flag(name: .long, help: "Make a password, and print it.")
    var generate = false

    func check() throws {
        if passwordStdin && generate { throw CommandFailure.usage("--generate excludes --password-stdin") }
    }

    /// The password, and whether it was made here, so that nobody knows it who is not told.
    @MainActor
    func password(for manager: ServerOperator, in context: CommandContext) throws -> (text: String, isMade: Bool) {
        if generate { return (manager.makePassword(), true) }
        let source = PasswordSource(context: context, isStandardInput: passwordStdin)
        try source.require("give it with --password-stdin, or have one made with --generate")
        return (try source.password(isNew: true), false)
    }
}

struct ServerInviteCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Make a code that somebody signs up with, once.",
        discussion: """
            'trendy serve --closed' makes accounts with such a code alone. With an address
            it is good for that one. The server keeps a hash of it: it is shown once.

            Example:
              trendy server invite ann@example.org --expires 3d
            """)

    @Argument(help: "The only address that it is good for; any otherwise.")
    var address: String?

    @Option(name: .long, help: "How long it is good: 7d, 12h.")
    var expires = "7d"

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        _ = try seconds()
    }

    private func seconds() throws -> Double {
        guard expires.contains(where: \.isLetter), let seconds = DurationText.parse(expires), seconds > 0 else {
            throw CommandFailure.usage("--expires '\(expires)' is no length of time; write it like 7d or 12h")
        }
        return seconds
    }

    func run(in context: CommandContext) async throws {
        let invitation = try place.open(in: context).invite(address, lasting: try seconds())
        let end = context.process.zone.minuteText(invitation.expiresAt)
        let whom = invitation.email.map { "\($0) signs" } ?? "one person signs"
        try context.say(
            "\(whom) up with it until \(end): trendy signup --server URL --invite \(invitation.code)",
            json: invitation)
    }
}

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

struct ServerPruneCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune", abstract: "Remove what is left of records that were deleted long ago.",
        discussion: """
            A deleted record leaves a tombstone, by which devices learn of the deletion. A
            device that has not synced for longer than that takes all anew at its next
            sync; what it has not sent is kept. Keys of requests that are older, and 90
            days at least, go too, and sign-ins and invitations that ended.

            Example:
              trendy server prune --older-than 90d
            """)

    @Option(name: .long, help: "How old: 90d, 12w.")
    var olderThan: String

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws {
        try place.check()
        _ = try seconds()
    }

    private func seconds() throws -> Double {
        guard olderThan.contains(where: \.isLetter), let seconds = DurationText.parse(olderThan) else {
            throw CommandFailure.usage("--older-than '\(olderThan)' is no length of time; write it like 90d or 12w")
        }
        return seconds
    }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        let moment = context.now.advanced(bySeconds: -(try seconds()))
        let day = context.process.zone.minuteText(moment)
        try context.confirmation(yes).require(
            "remove what is left of records that were deleted before \(day); devices that have not synced since then "
                + "take all anew")
        let report = try manager.prune(before: moment)
        let remains = report.remains > 0 ? " and what was left of \(counted(report.remains, "deleted account"))" : ""
        try context.say(
            "removed \(counted(report.tombstones, "tombstone")) and \(counted(report.keys, "key")) from before "
                + "\(day)\(remains)", json: report)
    }
}
