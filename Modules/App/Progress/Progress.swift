import TrendyDomain

/// Tells on a terminal how far a piece of work has come that takes more than a moment.
///
/// ```swift
/// let progress = Progress(context, "exporting", unit: "events", total: count)
/// defer { progress.end() }
/// for event in events { …; progress.advance() }
/// ```
/// It shows nothing in the first half second, draws at most ten times a second, on standard error and on a terminal
/// alone, and leaves nothing behind. It is a courtesy: where it cannot be shown the work goes on.
@MainActor
final class Progress {
    /// What takes less is not worth a look.
    static let patience = Duration.milliseconds(500)
    /// Between two drawings.
    static let interval = Duration.milliseconds(100)

    /// What is shown.
    private(set) var bar: ProgressBar
    private let output: Output
    private let environment: [String: String]
    private let elapsed: () -> Duration
    private let clock: any Clock<Duration>
    private var due: Duration
    /// False where nobody would see it.
    let isOn: Bool

    init(_ context: CommandContext, _ doing: String, unit: String, total: Int? = nil) {
        bar = ProgressBar(doing: doing, unit: unit, done: 0, total: total, elapsed: .zero)
        output = context.errors
        environment = context.process.environment
        // A terminal that is not named cannot be told to take a line back.
        let terminal = environment["TERM"] ?? ""
        isOn = output.isTerminal && !context.wantsJSON && !terminal.isEmpty && terminal != "dumb"
        clock = context.process.clock
        elapsed = Self.stopwatch(clock)
        due = Self.patience
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Says that so many more are done.
    func advance(by count: Int = 1) {
        bar.done += count
        drawIfDue()
    }

    /// Says how many are done, of how many, of what.
    func show(_ done: Int, of total: Int? = nil, unit: String? = nil, doing: String? = nil) {
        bar.done = done
        bar.total = total
        if let unit { bar.unit = unit }
        if let doing { bar.doing = doing }
        drawIfDue()
    }

    /// Shows how far work is that goes on elsewhere, for as long as it goes on.
    ///
    /// - Parameter look: Sees how far it is, and shows it.
    func during<Result>(
        _ look: @escaping @MainActor (Progress) -> Void, _ work: () async throws -> Result
    ) async throws -> Result {
        guard isOn else { return try await work() }
        let clock = clock
        let drawing = Task {
            while !Task.isCancelled {
                look(self)
                try await clock.sleep(for: Self.interval)
            }
        }
        defer {
            drawing.cancel()
            end()
        }
        return try await work()
    }

    /// Takes it off the screen.
    func end() {
        try? output.clearPassingLine()
    }

    private func drawIfDue() {
        guard isOn else { return }
        let now = elapsed()
        guard now >= due else { return }
        due = now + Self.interval
        bar.elapsed = now
        let screen = Screen(output, environment: environment, isASCII: isPlain)
        // A line that fills the last column may move on to the next.
        let text = bar.text(columns: screen.width - 1, look: ProgressBar.Look(style: screen.style, isASCII: isPlain))
        try? output.passingLine(text)
    }

    /// Who wants no colours is drawn no lines either (no-color.org asks for the former alone).
    private var isPlain: Bool { !(environment["NO_COLOR"] ?? "").isEmpty }
}
