/// Reads the HTML of a report as strictly as XML, and fails where an element is not closed.
struct PageReader {
    /// An element with its attributes and all text in it.
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""
        /// The names of the elements around it, from the outermost.
        var around: [String]
    }

    struct Broken: Error {
        var what: String
    }

    /// The elements in the order in which they end.
    private(set) var elements: [Element] = []

    init(_ page: String) throws {
        let start = "<!DOCTYPE html>\n"
        guard page.hasPrefix(start) else { throw Broken(what: "no document type") }
        var open: [Element] = []
        var rest = page.dropFirst(start.count)
        while let first = rest.first {
            if first != "<" {
                let end = rest.firstIndex(of: "<") ?? rest.endIndex
                for place in open.indices { open[place].text += Self.unescaped(rest[..<end]) }
                rest = rest[end...]
                continue
            }
            guard let end = rest.firstIndex(of: ">") else { throw Broken(what: "a tag without an end") }
            let tag = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                guard let last = open.popLast(), last.name == tag.dropFirst() else { throw Broken(what: "<\(tag)>") }
                elements.append(last)
            } else {
                let element = Self.element(tag, in: open)
                if element.name == "meta" { elements.append(element) } else { open.append(element) }
            }
        }
        guard open.isEmpty else { throw Broken(what: "not closed: \(open.map(\.name))") }
    }

    private static func element(_ tag: Substring, in open: [Element]) -> Element {
        let name = tag.prefix { $0 != " " }
        var attributes: [String: String] = [:]
        for match in tag.dropFirst(name.count).matches(of: #/ ([A-Za-z0-9-]+)="([^"]*)"/#) {
            attributes[String(match.1)] = unescaped(match.2)
        }
        return Element(name: String(name), attributes: attributes, around: open.map(\.name))
    }

    private static func unescaped(_ text: Substring) -> String {
        let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        return marks.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// The elements of a name.
    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    /// The values of an attribute, one for each element that has it.
    func values(of attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }

    /// The rows of the table with this caption, each with its cells, the head first; nil where there is none.
    func table(_ caption: String) throws -> [[String]]? {
        guard let start = elements.firstIndex(where: { $0.name == "caption" && $0.text == caption }) else { return nil }
        var rows: [[String]] = []
        var row: [String] = []
        for element in elements[start...] {
            switch element.name {
            case "th", "td": row.append(element.text)
            case "tr":
                rows.append(row)
                row = []
            case "table": return rows
            default: break
            }
        }
        throw Broken(what: "the table '\(caption)' has no end")
    }
}
