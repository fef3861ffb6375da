#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What a command draws on: how wide it is, and in which characters.
package struct Screen: Sendable {
    /// The columns that lines must fit into; nil where nobody set a limit, as in a pipe.
    package let limit: Int?
    /// The rows that are seen at once; nil where it is no terminal.
    package let rows: Int?
    package let style: Style
    package let glyphs: Glyphs

    /// The columns of what is drawn to a width: a chart has one also where lines have no limit.
    package var width: Int { limit ?? Self.usualWidth }

    /// Whether icons stand beside names: not in a pipe, which programs read, not in ASCII, and not where room is short.
    package var showsIcons: Bool { !glyphs.isASCII && (limit ?? 0) >= Self.roomyWidth }

    static let usualWidth = 80
    private static let roomyWidth = 60
    private static let usualRows = 24
    /// Below it nothing is readable; above it a line only costs memory.
    private static let sensible = 20...1000

    package init(limit: Int?, rows: Int? = nil, style: Style, glyphs: Glyphs) {
        self.limit = limit.map { min(max($0, Self.sensible.lowerBound), Self.sensible.upperBound) }
        self.rows = rows
        self.style = style
        self.glyphs = glyphs
    }

    /// What an output shows on.
    ///
    /// The variable `COLUMNS` decides on the width where it is exported: who does so asks for it, as of other
    /// programs (POSIX, "Environment Variables"). Otherwise the terminal says how wide it is.
    @MainActor
    package init(_ output: Output, environment: [String: String], isASCII: Bool) {
        let isTerminal = output.isTerminal
        let size = output.terminalSize
        let wanted = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        self.init(
            limit: wanted ?? size?.columns ?? (isTerminal ? Self.usualWidth : nil),
            rows: isTerminal ? size?.rows ?? Self.usualRows : nil,
            style: Style(isTerminal: isTerminal, environment: environment), glyphs: isASCII ? .ascii : .unicode)
    }
}

/// The characters that charts and tables are drawn with.
package struct Glyphs: Sendable, Hashable {
    package let isASCII: Bool
    /// Says that text was cut off.
    package let ellipsis: String
    /// Marks a type in its colour.
    package let bullet: String
    /// Stands between two facts about the same thing.
    package let separator: String
    /// Stands for nothing at all.
    package let none: String

    package static let unicode = Glyphs(isASCII: false, ellipsis: "…", bullet: "●", separator: "·", none: "–")
    /// For terminals and fonts without more: what `--ascii` asks for.
    package static let ascii = Glyphs(isASCII: true, ellipsis: "...", bullet: "*", separator: "-", none: "-")
}

/// How much a terminal shows at once.
package struct TerminalSize: Sendable, Hashable {
    var columns: Int
    var rows: Int

    /// The size of the terminal behind a file descriptor; nil where there is none, or it does not say.
    static func of(descriptor: Int32) -> TerminalSize? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        guard size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
