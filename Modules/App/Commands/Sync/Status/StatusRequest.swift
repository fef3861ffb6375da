import TrendyNotation
import TrendyTerminal

/// Asks for the status.
struct StatusRequest: CommandAction, Equatable {
    func run(in context: CommandContext) async throws {
        let status = try await StatusReport.read(context)
        if context.wantsJSON { return try context.output.json(status) }
        let lines = status.lines(zone: context.process.zone, now: context.now, on: context.screen)
        for line in lines { try context.output.line(line) }
    }
}
