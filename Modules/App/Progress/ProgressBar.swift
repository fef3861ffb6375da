/// How far something has come, as one line of text: a pure value.
///
/// `importing  ━━━━━━━━━━━━━━━━━━╺━━━━━━━━━━━━  58 %  5,800 of 10,000 rows  4 s left`; where the end is not known,
/// `importing  5,800 rows`. What does not fit into the columns is left out, the least important first.
struct ProgressBar: Sendable, Hashable {
    /// What is being done: "importing".
    var doing: String
    /// What is counted, in the plural: "rows"; empty where nothing is.
    var unit: String
    var done: Int
    /// How many there will be; nil where nobody knows.
    var total: Int?
    /// How long it has taken so far.
    var elapsed: Duration

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
        guard let total, total > 0 else { return "\(FigureText.text(done)) \(unit)" }
        return "\(FigureText.text(done)) of \(FigureText.text(max(total, done))) \(unit)"
    }

    /// How long the rest takes at the pace so far; nil where that says little yet.
    private var timeLeft: String? {
        let seconds = elapsed / .seconds(1)
        guard let total, seconds > 1, (1..<total).contains(done) else { return nil }
        let rest = max(1, (seconds / Double(done) * Double(total - done)).rounded(.up))
        return "\(DurationText.text(rest < 120 ? rest : (rest / 60).rounded(.up) * 60)) left"
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
