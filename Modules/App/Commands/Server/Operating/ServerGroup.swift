import ArgumentParser

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
