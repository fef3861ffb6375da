package import TrendyDomain
package import TrendyTerminal

/// How a type is shown: its name, its colour and its icon.
package struct TypeFace: Sendable {
    /// The name on one line.
    package let name: String
    /// The colour; nil where the type has none that can be read.
    package let color: RGBColor?
    /// The icon where it is an emoji; nil for the name of a picture, which only some systems have.
    package let icon: String?

    package init(name: String, color: RGBColor? = nil, icon: String? = nil) {
        self.name = TextTable.singleLine(name)
        self.color = color
        self.icon = icon.map(TextTable.singleLine).flatMap { Self.isEmoji($0) ? $0 : nil }
    }

    package init(_ type: EventType) {
        self.init(name: type.name, color: RGBColor(hex: type.color), icon: type.icon)
    }

    private static func isEmoji(_ icon: String) -> Bool {
        icon.count == 1 && icon.unicodeScalars.contains { $0.properties.isEmoji && !$0.isASCII }
    }

    /// The columns of the icons of some types with a blank behind them; 0 where none has one, and on screens without
    /// icons.
    package static func iconWidth(_ faces: some Sequence<TypeFace>, on screen: Screen) -> Int {
        screen.showsIcons && faces.contains { $0.icon != nil } ? 3 : 0
    }

    /// The names of some types, each behind its icon where the screen shows icons.
    package static func labels(_ faces: [TypeFace], on screen: Screen) -> [String] {
        let width = iconWidth(faces, on: screen)
        return faces.map { ($0.icon ?? "").truncated(toColumns: width).padded(toColumns: width) + $0.name }
    }
}
