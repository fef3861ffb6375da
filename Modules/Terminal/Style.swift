/// Emphasis and colours, only on a terminal and without `NO_COLOR` (no-color.org).
package struct Style: Sendable, Hashable {
    /// The number of colours of the terminal.
    enum Depth: Sendable, Hashable {
        /// The 256 of xterm.
        case palette
        /// 16 million, if `COLORTERM` says so.
        case trueColor
    }

    package let isOn: Bool
    private let depth: Depth

    package init(isTerminal: Bool, environment: [String: String]) {
        let refused = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        isOn = isTerminal && !refused
        depth = ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased()) ? .trueColor : .palette
    }

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func faint(_ text: String) -> String { wrap(text, "2") }

    /// The text in a colour; unchanged without a colour.
    package func colored(_ text: String, _ color: RGBColor?) -> String {
        guard isOn, let color else { return text }
        switch depth {
        case .palette: return wrap(text, "38;5;\(color.paletteIndex)")
        case .trueColor: return wrap(text, "38;2;\(color.red);\(color.green);\(color.blue)")
        }
    }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}

/// A colour with 8 bits each for red, green and blue.
package struct RGBColor: Sendable, Hashable {
    package var red: Int
    package var green: Int
    package var blue: Int

    package init(red: Int, green: Int, blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Reads `#RRGGBB`; nil for other texts.
    package init?(hex: String) {
        guard hex.utf8.count == 7, hex.hasPrefix("#"), hex.dropFirst().allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let value = Int(hex.dropFirst(), radix: 16)
        else { return nil }
        self.init(red: value >> 16, green: value >> 8 & 0xFF, blue: value & 0xFF)
    }

    /// The nearest of xterm's 256 colours: the cube of 6 steps from 16 on, or one of the 24 greys from 232 on.
    ///
    /// The first 16 are left out, because they depend on the settings of the terminal. The steps are those of xterm's
    /// `256colres.pl`.
    var paletteIndex: Int {
        let steps = [0, 95, 135, 175, 215, 255]
        let nearest = { (value: Int) in steps.indices.min { abs(steps[$0] - value) < abs(steps[$1] - value) } ?? 0 }
        let (red6, green6, blue6) = (nearest(red), nearest(green), nearest(blue))
        let cube = RGBColor(red: steps[red6], green: steps[green6], blue: steps[blue6])
        let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
        let level = 8 + 10 * grey
        let isGrey = distance(to: RGBColor(red: level, green: level, blue: level)) < distance(to: cube)
        return isGrey ? 232 + grey : 16 + 36 * red6 + 6 * green6 + blue6
    }

    /// The mix with another colour: 0 is this one, 1 the other.
    package func mixed(with other: RGBColor, share: Double) -> RGBColor {
        let mix = { (from: Int, to: Int) in from + Int((Double(to - from) * min(max(share, 0), 1)).rounded()) }
        return RGBColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    private func distance(to other: RGBColor) -> Int {
        let (red, green, blue) = (red - other.red, green - other.green, blue - other.blue)
        return red * red + green * green + blue * blue
    }
}
