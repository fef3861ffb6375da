import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct AccountSessionsCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List the devices that are signed in; end one.",
        discussion: """
            When a device was used last is seen to the hour.

            Examples:
              trendy account sessions
              trendy account sessions --end 5e0453b6
            """)

    @Option(name: .long, help: "Sign that device out: its id, or the end of it as the list shows it.")
    var end: String?

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let sessions = try await account.send { try await $0.sessions() }
        if let end { return try await self.end(end, sessions, account, in: context) }
        if context.wantsJSON { return try context.output.jsonArray(sessions) }
        var table = TextTable("ID", "DEVICE", "SIGNED IN", "LAST USED", spare: ["SIGNED IN"])
        let zone = context.process.zone
        for session in sessions {
            let name = session.device ?? "unnamed"
            table.add(
                ShortId.of(session.id), session.isCurrent ? "\(name), this one" : name,
                zone.minuteText(session.createdAt), zone.minuteText(session.usedAt))
        }
        try context.print(table, on: context.screen, whenEmpty: "no device is signed in")
    }

    @MainActor
    private func end(
        _ word: String, _ sessions: [AccountSession], _ account: OwnAccount, in context: CommandContext
    ) async throws {
        let found = sessions.filter { $0.id == word || (!word.isEmpty && $0.id.hasSuffix(word.lowercased())) }
        guard let session = found.first, found.count == 1 else {
            throw CommandFailure.data(
                "\(found.isEmpty ? "no device" : "more than one device") has the id \(word); "
                    + "'trendy account sessions' lists them")
        }
        if session.isCurrent { throw CommandFailure.usage("that is this device; 'trendy logout' signs it out") }
        try await account.send { try await $0.endSession(session.id) }
        try context.say("signed \(session.device ?? "the device") out", json: session)
    }
}

struct AccountSignOutCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out-everywhere", abstract: "Sign out on all devices, this one too.",
        discussion: """
            What is on the devices stays there, and syncs again after the next sign-in.

            Example:
              trendy account sign-out-everywhere
            """)

    @OptionGroup var common: CommonOptions

    var needsSoundSettings: Bool { true }

    func run(in context: CommandContext) async throws {
        let account = try OwnAccount(in: context)
        let ended = try await account.send { try await $0.signOutEverywhere() }
        try context.say(
            "\(account.email) is signed out on \(counted(ended, "device")), this one too",
            json: EndedSessions(sessionsEnded: ended))
    }
}
