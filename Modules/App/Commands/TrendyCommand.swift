import ArgumentParser
import TrendyDomain

/// The root of the command line.
struct TrendyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trendy",
        abstract: "Log the events of your life offline, and sync them between your devices.",
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
                name: "Views",
                subcommands: [
                    TodayCommand.self, WeekCommand.self, StatsCommand.self, CalendarCommand.self, TrendCommand.self,
                    StreaksCommand.self, InsightsCommand.self, ReportCommand.self,
                ]),
            CommandGroup(name: "Definitions", subcommands: [TypeGroup.self, PropertyGroup.self, PlaceGroup.self]),
            CommandGroup(
                name: "Files",
                subcommands: [ImportGroup.self, ExportGroup.self, BackupCommand.self, RestoreCommand.self]),
            CommandGroup(
                name: "Sync",
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
                name: "Setup",
                subcommands: [DoctorCommand.self, ConfigGroup.self, CompletionCommand.self, ManualCommand.self]),
        ])
}
