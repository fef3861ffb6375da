/// What a command draws on: how wide it is, and in which characters.
struct Screen: Sendable {
    /// The columns that lines must fit into; nil where nobody set a limit, as in a pipe.
    let limit: Int?
    /// The rows that are seen at once; nil where it is no terminal.
    let rows: Int?
    let style: Style
    let glyphs: Glyphs

    /// The columns of what is drawn to a width: a chart has one also where lines have no limit.
    var width: Int { limit ?? Self.usualWidth }

    static let usualWidth = 80
    private static let usualRows = 24
    /// Below it nothing is readable; above it a line only costs memory.
    private static let sensible = 20...1000

    init(limit: Int?, rows: Int? = nil, style: Style, glyphs: Glyphs) {
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
    init(_ output: Output, environment: [String: String], isASCII: Bool) {
        let isTerminal = output.isTerminal
        let size = output.terminalSize
        let wanted = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        self.init(
            limit: wanted ?? size?.columns ?? (isTerminal ? Self.usualWidth : nil),
            rows: isTerminal ? size?.rows ?? Self.usualRows : nil,
            style: Style(isTerminal: isTerminal, environment: environment), glyphs: isASCII ? .ascii : .unicode)
    }
}
