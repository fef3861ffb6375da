#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The screen of a command: its size, colours and characters.
package struct Screen: Sendable {
    /// The maximum width of lines; nil for no limit, as in a pipe.
    package let limit: Int?
    /// The number of rows; nil if it is not a terminal.
    package let rows: Int?
    package let style: Style
    package let glyphs: Glyphs

    /// The width of charts, which exists even if lines have no limit.
    package var width: Int { limit ?? Self.usualWidth }

    /// Whether icons stand beside names: not in a pipe, which programs read, not in ASCII, and not where room is short.
    package var showsIcons: Bool { !glyphs.isASCII && (limit ?? 0) >= Self.roomyWidth }

    static let usualWidth = 80
    private static let roomyWidth = 60
    private static let usualRows = 24
    /// The limits for widths: less is unreadable, and more only wastes memory.
    private static let sensible = 20...1000

    package init(limit: Int?, rows: Int? = nil, style: Style, glyphs: Glyphs) {
        self.limit = limit.map { min(max($0, Self.sensible.lowerBound), Self.sensible.upperBound) }
        self.rows = rows
        self.style = style
        self.glyphs = glyphs
    }

    /// The screen of an output.
    ///
    /// The width is `COLUMNS` if it is set (POSIX, "Environment Variables"), otherwise that of the terminal.
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

/// The characters of charts and tables.
package struct Glyphs: Sendable, Hashable {
    package let isASCII: Bool
    /// Marks cut text.
    package let ellipsis: String
    /// The mark of a type, in its colour.
    package let bullet: String
    /// Separates two facts.
    package let separator: String
    /// Represents an empty value.
    package let none: String

    package static let unicode = Glyphs(isASCII: false, ellipsis: "…", bullet: "●", separator: "·", none: "–")
    /// For `--ascii`.
    package static let ascii = Glyphs(isASCII: true, ellipsis: "...", bullet: "*", separator: "-", none: "-")
}

/// The size of a terminal.
package struct TerminalSize: Sendable, Hashable {
    var columns: Int
    var rows: Int

    /// The size of the terminal of a file descriptor; nil if it is unknown.
    static func of(descriptor: Int32) -> TerminalSize? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        guard size.ws_col > 0, size.ws_row > 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
