import TrendyNotation
import TrendyTerminal

/// A piece of an HTML page: text, an element, or several of them.
///
/// The names of elements and attributes are those of ``HTMLTag`` and ``HTMLAttribute``; texts and the values of
/// attributes are escaped when they are written. So no name or note of a person becomes a part of the page's structure.
struct HTMLNode: Sendable {
    private enum Content: Sendable {
        case text(String)
        case element(HTMLTag, [(HTMLAttribute, String)], [HTMLNode])
        case style(StyleSheet)
        case group([HTMLNode])
    }

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    /// Text that a person reads.
    static func text(_ text: String) -> HTMLNode { HTMLNode(.text(text)) }

    /// An element; attributes without a value are left out.
    static func element(
        _ tag: HTMLTag, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:], _ children: [HTMLNode] = []
    ) -> HTMLNode {
        HTMLNode(.element(tag, attributes.compactMap { name, value in value.map { (name, $0) } }, children))
    }

    /// An element with text alone in it.
    static func element(
        _ tag: HTMLTag, _ attributes: KeyValuePairs<HTMLAttribute, String?> = [:], _ text: String
    ) -> HTMLNode {
        element(tag, attributes, [.text(text)])
    }

    /// The style sheet of the page.
    static func style(_ sheet: StyleSheet) -> HTMLNode { HTMLNode(.style(sheet)) }

    /// Several pieces, one after the other.
    static func group(_ nodes: [HTMLNode]) -> HTMLNode { HTMLNode(.group(nodes)) }

    /// The piece as HTML.
    var markup: String {
        var markup = ""
        write(to: &markup)
        return markup
    }

    private func write(to markup: inout String) {
        switch content {
        case .text(let text): HTMLEscape.text(text, to: &markup)
        case .group(let nodes): for node in nodes { node.write(to: &markup) }
        case .style(let sheet): markup += "<style>\(sheet.text)</style>"
        case .element(let tag, let attributes, let children):
            markup += "<\(tag.rawValue)"
            for (name, value) in attributes {
                markup += " \(name.rawValue)=\""
                HTMLEscape.attribute(value, to: &markup)
                markup += "\""
            }
            markup += ">"
            if tag.isVoid { return }
            for child in children { child.write(to: &markup) }
            markup += "</\(tag.rawValue)>"
        }
    }
}

/// The elements that reports are made of; those from `svg` on are of SVG.
enum HTMLTag: String, Sendable {
    case head, meta, title, a
    case header, main, section, footer, figure, figcaption, div, span, p, bdi, code
    case h1, h2, h3, ul, li, dl, dt, dd
    case table, caption, thead, tbody, tr, th, td
    case details, summary
    case svg, desc, rect, circle, line, polyline, text

    /// Whether the element has no content and no end (HTML, "Void elements").
    var isVoid: Bool { self == .meta }
}

/// The attributes that reports have. None of them holds a script, and `href` is the only one with an address.
enum HTMLAttribute: String, Sendable {
    case id, `class`, charset, content, name, href, scope, role
    case httpEquiv = "http-equiv"
    case ariaHidden = "aria-hidden"
    case ariaLabelledBy = "aria-labelledby"
    case width, height, viewBox, preserveAspectRatio, x, y, x1, y1, x2, y2, cx, cy, r, rx, points
    case textAnchor = "text-anchor"
    case vectorEffect = "vector-effect"
}

/// Writes text so that a browser shows it as it is, whatever is in it.
enum HTMLEscape {
    /// Adds text that stands between tags.
    static func text(_ text: String, to markup: inout String) {
        add(text, to: &markup, escapesApostrophes: true)
    }

    /// Adds the value of an attribute, which is always put into double quotes.
    static func attribute(_ value: String, to markup: inout String) {
        add(value, to: &markup, escapesApostrophes: false)
    }

    private static func add(_ text: String, to markup: inout String, escapesApostrophes: Bool) {
        if text.utf8.allSatisfy({ isPlain($0) }) {
            markup += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": markup += "&amp;"
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "\"": markup += "&quot;"
            case "'" where escapesApostrophes: markup += "&#39;"
            case "\t", "\n": markup.unicodeScalars.append(scalar)
            default: markup.unicodeScalars.append(isAllowed(scalar) ? scalar : "\u{FFFD}")
            }
        }
    }

    /// ASCII that means nothing else in HTML.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20..<0x7F).contains(byte) && ![0x22, 0x26, 0x27, 0x3C, 0x3E].contains(byte)
    }

    /// Controls and noncharacters are errors in a document (HTML, "Preprocessing the input stream").
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
        return !isControl && !(0xFDD0...0xFDEF).contains(value) && value & 0xFFFE != 0xFFFE
    }
}

/// Numbers in drawings.
enum SVG {
    /// A length with at most two digits behind the point: more are not seen.
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        return NumberText.text((value * 100).rounded() / 100)
    }

    /// A share of the width, so that a drawing is as wide as its place while its texts keep their size.
    static func percent(_ share: Double) -> String { number(share * 100) + "%" }
}
