/// Tells on a terminal how far a piece of work has come that takes more than a moment.
///
/// ```swift
/// let progress = Progress("exporting", unit: "events", total: count, on: errors, environment, clock)
/// defer { progress.end() }
/// for event in events { …; progress.advance() }
/// ```
/// It shows nothing in the first half second, draws at most ten times a second, on standard error and on a terminal
/// alone, and leaves nothing behind. It is a courtesy: where it cannot be shown the work goes on.
@MainActor
package final class Progress {
    /// What takes less is not worth a look.
    package static let patience = Duration.milliseconds(500)
    /// Between two drawings.
    package static let interval = Duration.milliseconds(100)

    /// What is shown.
    package private(set) var bar: ProgressBar
    private let output: Output
    private let environment: [String: String]
    private let elapsed: () -> Duration
    private let clock: any Clock<Duration>
    private var due: Duration
    /// False where nobody would see it.
    package let isOn: Bool

    /// - Parameter isWanted: False where nobody is to see it.
    package init(
        _ doing: String, unit: String, total: Int? = nil, on output: Output, _ environment: [String: String],
        _ clock: any Clock<Duration>, isWanted: Bool = true
    ) {
        bar = ProgressBar(doing: doing, unit: unit, done: 0, total: total, elapsed: .zero)
        self.output = output
        self.environment = environment
        isOn = isWanted && output.takesLinesBack(environment)
        self.clock = clock
        elapsed = Self.stopwatch(clock)
        due = Self.patience
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Says that so many more are done.
    package func advance(by count: Int = 1) {
        bar.done += count
        drawIfDue()
    }

    /// Says how many are done, of how many, of what.
    package func show(_ done: Int, of total: Int? = nil, unit: String? = nil, doing: String? = nil) {
        bar.done = done
        bar.total = total
        if let unit { bar.unit = unit }
        if let doing { bar.doing = doing }
        drawIfDue()
    }

    /// Shows how far work is that goes on elsewhere, for as long as it goes on.
    ///
    /// - Parameter look: Sees how far it is, and shows it.
    package func during<Result>(
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
    package func end() {
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

/// How far something has come, as one line of text: a pure value.
///
/// `importing  ━━━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━  58 %  5,800 of 10,000 rows  4 s left`; where the end is not known,
/// `importing  5,800 rows`. What does not fit into the columns is left out, the least important first.
package struct ProgressBar: Sendable, Hashable {
    /// What is being done: "importing".
    package var doing: String
    /// What is counted, in the plural: "rows"; empty where nothing is.
    package var unit: String
    package var done: Int
    /// How many there will be; nil where nobody knows.
    package var total: Int?
    /// How long it has taken so far.
    package var elapsed: Duration

    /// Which characters and colours a bar has.
    struct Look: Sendable {
        var style: Style
        var isASCII: Bool
    }

    private static let longestBar = 40
    private static let shortestBar = 8
    private static let color = RGBColor(hex: "#3B82F6")

    /// The line, in at most so many columns.
    func text(columns: Int, look: Look) -> String {
        let ellipsis = look.isASCII ? "..." : "…"
        guard let total, total > 0 else {
            return join(unit.isEmpty ? [doing] : [doing, count]).truncated(toColumns: columns, ellipsis: ellipsis)
        }
        let fraction = min(1, max(0, Double(done) / Double(total)))
        let percent = "\(Int(fraction * 100)) %".padded(fromColumns: 5)
        // The fullest form that leaves a bar room.
        for tail in [[count, timeLeft].compactMap(\.self), [count], []] {
            let rest = join([doing, percent] + tail).columns + 2
            let room = min(Self.longestBar, columns - rest)
            guard room >= Self.shortestBar else { continue }
            return join([doing, bar(fraction, room, look), percent] + tail)
        }
        return join([doing, percent]).truncated(toColumns: columns, ellipsis: ellipsis)
    }

    private func join(_ parts: [String]) -> String { parts.joined(separator: "  ") }

    private var count: String {
        guard let total, total > 0 else { return "\(Self.grouped(done)) \(unit)" }
        return "\(Self.grouped(done)) of \(Self.grouped(max(total, done))) \(unit)"
    }

    /// The count with a comma between thousands: `1,234,567`.
    private static func grouped(_ count: Int) -> String {
        var text = String(count)
        for place in stride(from: text.count - 3, to: 0, by: -3) {
            text.insert(",", at: text.index(text.startIndex, offsetBy: place))
        }
        return text
    }

    /// How long the rest takes at the pace so far; nil where that says little yet.
    private var timeLeft: String? {
        let seconds = elapsed / .seconds(1)
        guard let total, seconds > 1, (1..<total).contains(done) else { return nil }
        let rest = max(1, (seconds / Double(done) * Double(total - done)).rounded(.up))
        let shown = Int(rest < 120 ? rest : (rest / 60).rounded(.up) * 60)
        let parts = [(shown / 3600, "h"), (shown / 60 % 60, "m"), (shown % 60, "s")].filter { $0.0 > 0 }
        return parts.map { "\($0.0)\($0.1)" }.joined(separator: " ") + " left"
    }

    private func bar(_ fraction: Double, _ columns: Int, _ look: Look) -> String {
        if look.isASCII {
            let full = Int(fraction * Double(columns - 2))
            return "[" + String(repeating: "#", count: full) + String(repeating: ".", count: columns - 2 - full) + "]"
        }
        let full = Int(fraction * Double(columns))
        let done = look.style.colored(String(repeating: "━", count: full), Self.color)
        return done + look.style.faint(String(repeating: look.style.isOn ? "━" : "─", count: columns - full))
    }
}
