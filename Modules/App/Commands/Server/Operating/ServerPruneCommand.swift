import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

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
