import Foundation
import TrendyTerminal

/// The style rules of a page.
///
/// It takes only constants of the program and colours, because text cannot be escaped in a style sheet.
struct StyleSheet: Sendable {
    private(set) var text: String

    init(_ rules: StaticString) {
        text = "\(rules)"
    }

    /// Adds the colours that classes of that name, `type-0` and so on, draw in: one on light paper, one on dark.
    mutating func addColors(_ colors: [ThemeColor], class name: StaticString) {
        let rules = { (shade: KeyPath<ThemeColor, RGBColor>) in
            colors.enumerated().map { ".\(name)-\($0){--c:\($1[keyPath: shade].hex)}" }.joined()
        }
        text += rules(\.onLight) + "@media screen and (prefers-color-scheme:dark){\(rules(\.onDark))}"
    }
}

/// A colour in two shades, for light and for dark paper.
struct ThemeColor: Sendable, Hashable {
    let onLight: RGBColor
    let onDark: RGBColor

    /// The papers; the style sheet has the same.
    private static let light = RGBColor(red: 0xFC, green: 0xFC, blue: 0xFA)
    private static let dark = RGBColor(red: 0x14, green: 0x16, blue: 0x1A)

    /// The least contrast of lines and areas with the paper (WCAG 2.2, success criterion 1.4.11).
    private static let leastOnLight = 3.0
    /// More on dark paper, where the paler levels of a calendar are hard to see otherwise.
    private static let leastOnDark = 4.5

    /// Makes the shades nearest to a colour that have enough contrast.
    init(_ color: RGBColor) {
        onLight = Self.shade(
            of: color, on: Self.light, least: Self.leastOnLight, towards: RGBColor(red: 0, green: 0, blue: 0))
        onDark = Self.shade(
            of: color, on: Self.dark, least: Self.leastOnDark, towards: RGBColor(red: 255, green: 255, blue: 255))
    }

    private static func shade(of color: RGBColor, on paper: RGBColor, least: Double, towards end: RGBColor) -> RGBColor
    {
        let shades = (0...20).lazy.map { color.mixed(with: end, share: Double($0) / 20) }
        return shades.first { $0.contrast(with: paper) >= least } ?? end
    }
}

extension RGBColor {
    /// The colour as `#RRGGBB`.
    var hex: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// How much two colours differ in brightness, from 1 to 21 (WCAG 2.2, "contrast ratio").
    func contrast(with other: RGBColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// WCAG 2.2, "relative luminance".
    private var luminance: Double {
        let linear = [red, green, blue].map { channel in
            let share = Double(channel) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }
}
