import TrendyTerminal

/// A piece of an HTML page: text, an element, or several of them.
///
/// The names of elements and attributes are those of ``HTMLTag`` and ``HTMLAttribute``; texts and the values of
/// attributes may come from anywhere and are escaped when they are written. Nothing puts text in as it is, so that no
/// name or note of a person becomes a part of the page's structure.
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

    /// Text, as a person is to read it.
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
