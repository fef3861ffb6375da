/// Shows the progress of long work on a terminal.
///
/// ```swift
/// let progress = Progress("exporting", unit: "events", total: count, on: errors, environment, clock)
/// defer { progress.end() }
/// for event in events { …; progress.advance() }
/// ```
/// It starts after half a second, draws at most ten times a second, only on a terminal, and is removed at the end.
/// Errors of the display do not stop the work.
@MainActor
package final class Progress {
    /// Shorter work has no progress display.
    package static let patience = Duration.milliseconds(500)
    /// The interval between two drawings.
    package static let interval = Duration.milliseconds(100)

    package private(set) var bar: ProgressBar
    private let output: Output
    private let environment: [String: String]
    private let elapsed: () -> Duration
    private let clock: any Clock<Duration>
    private var due: Duration
    /// Whether the progress is visible.
    package let isOn: Bool

    /// - Parameter isWanted: False to hide it.
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

    /// Counts finished steps.
    package func advance(by count: Int = 1) {
        bar.done += count
        drawIfDue()
    }

    /// Sets the numbers and the unit.
    package func show(_ done: Int, of total: Int? = nil, unit: String? = nil, doing: String? = nil) {
        bar.done = done
        bar.total = total
        if let unit { bar.unit = unit }
        if let doing { bar.doing = doing }
        drawIfDue()
    }

    /// Shows the progress of work that runs elsewhere, until its end.
    ///
    /// - Parameter look: Reads the progress, and shows it.
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

    /// Removes the display.
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
        // A line that fills the last column may wrap.
        let text = bar.text(columns: screen.width - 1, look: ProgressBar.Look(style: screen.style, isASCII: isPlain))
        try? output.passingLine(text)
    }

    /// Without colours the bar is drawn in ASCII, too.
    private var isPlain: Bool { !(environment["NO_COLOR"] ?? "").isEmpty }
}

/// The progress as a line of text.
///
/// `importing  ━━━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━  58 %  5,800 of 10,000 rows  4 s left`; without a known total,
/// `importing  5,800 rows`. If the line is too long, the least important parts are left out.
package struct ProgressBar: Sendable, Hashable {
    /// The activity: "importing".
    package var doing: String
    /// The counted things in the plural: "rows"; empty for none.
    package var unit: String
    package var done: Int
    /// The total; nil if it is unknown.
    package var total: Int?
    /// The elapsed time.
    package var elapsed: Duration

    /// The characters and colours of the bar.
    struct Look: Sendable {
        var style: Style
        var isASCII: Bool
    }

    private static let longestBar = 40
    private static let shortestBar = 8
    private static let color = RGBColor(hex: "#3B82F6")

    /// The line, with a maximum width.
    func text(columns: Int, look: Look) -> String {
        let ellipsis = look.isASCII ? "..." : "…"
        guard let total, total > 0 else {
            return join(unit.isEmpty ? [doing] : [doing, count]).truncated(toColumns: columns, ellipsis: ellipsis)
        }
        let fraction = min(1, max(0, Double(done) / Double(total)))
        let percent = "\(Int(fraction * 100)) %".padded(fromColumns: 5)
        // The longest form that leaves room for a bar.
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

    /// The estimated remaining time; nil if it is too early for an estimate.
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
