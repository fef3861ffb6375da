import ArgumentParser
import TrendyDomain

/// The root of the command line.
struct TrendyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trendy",
        abstract: "Log what happens in your life, offline; sync it when there is a network.",
        discussion: """
            Example:
              trendy type add coffee
              trendy coffee --note "double espresso"
              trendy today
            """,
        version: "trendy \(TrendyVersion.current)",
        groupedSubcommands: [
            CommandGroup(
                name: "Events",
                subcommands: [
                    LogCommand.self, StartCommand.self, StopCommand.self, ContinueCommand.self, ListCommand.self,
                    ShowCommand.self,
                    EditCommand.self, RemoveCommand.self, UndoCommand.self, RedoCommand.self,
                ]
            ),
            CommandGroup(
                name: "Looking",
                subcommands: [
                    TodayCommand.self, WeekCommand.self, StatsCommand.self, CalendarCommand.self, TrendCommand.self,
                    StreaksCommand.self, InsightsCommand.self, ReportCommand.self,
                ]),
            CommandGroup(name: "Describing", subcommands: [TypeGroup.self, PropertyGroup.self, PlaceGroup.self]),
            CommandGroup(
                name: "In and out",
                subcommands: [ImportGroup.self, ExportGroup.self, BackupCommand.self, RestoreCommand.self]),
            CommandGroup(
                name: "Syncing",
                subcommands: [
                    SyncCommand.self, StatusCommand.self, QueueGroup.self, ConflictsGroup.self,
                    QuarantineGroup.self, HistoryCommand.self,
                ]),
            CommandGroup(
                name: "Account",
                subcommands: [
                    SignupCommand.self, LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, AccountGroup.self,
                ]),
            CommandGroup(name: "Server", subcommands: [ServeCommand.self, ServerGroup.self, ConformanceCommand.self]),
            CommandGroup(
                name: "Help",
                subcommands: [DoctorCommand.self, ConfigGroup.self, CompletionCommand.self, ManualCommand.self]),
        ])
}
