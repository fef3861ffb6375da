import ArgumentParser
import TrendyTerminal

/// How a command draws on the screen.
struct ScreenOptions: ParsableArguments {
    @Flag(name: .long, help: "Draw with plain ASCII alone.")
    var ascii = false

    /// What the command's output shows on.
    @MainActor
    func screen(in context: CommandContext) -> Screen {
        Screen(context.output, environment: context.process.environment, isASCII: ascii)
    }
}
