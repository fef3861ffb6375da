import Foundation
import Testing

/// A class diagram of a document.
private struct ClassDiagram {
    struct Member: Hashable {
        var name: String
        var parameters: [String]
    }

    struct Shape {
        var stereotype = ""
        var members: [Member] = []
    }

    /// An arrow: `A ..|> B` says that A is a B, any other that A knows B.
    struct Relation: Hashable {
        var from: String
        var arrow: String
        var to: String
    }

    var shapes: [String: Shape] = [:]
    var relations: [Relation] = []
    /// Lines that are none of these.
    var strange: [String] = []

    init(_ lines: [String]) {
        var open: String?
        for line in lines.dropFirst() where !line.isEmpty {
            if let match = line.wholeMatch(of: /class (\w+)(?: \{)?/) {
                open = String(match.1)
                shapes[String(match.1)] = Shape()
            } else if line == "}" {
                open = nil
            } else if let open, let match = line.wholeMatch(of: /<<(.+)>>/) {
                shapes[open]?.stereotype = String(match.1)
            } else if let open, let match = line.wholeMatch(of: /\+(\w+)\((.*?)\).*/) {
                let parameters = match.2.split(separator: ", ").map { String($0) }
                shapes[open]?.members.append(Member(name: String(match.1), parameters: parameters))
            } else if let match = line.wholeMatch(of: /(\w+) (\.\.\|>|\.\.>|-->) (\w+)(?: : .+)?/) {
                relations.append(Relation(from: String(match.1), arrow: String(match.2), to: String(match.3)))
            } else {
                strange.append(line)
            }
        }
    }
}

/// How the modules declare a type: its head, and the bodies of the type and its extensions.
private struct Declaration {
    var head = ""
    var bodies = ""

    init() {}

    init(of name: String, in sources: [String]) {
        let pattern = "(?m)^.*\\b(?:class|struct|actor|protocol|extension) \(name)\\b[^{]*\\{"
        for source in sources {
            var rest = source[...]
            while let range = rest.range(of: pattern, options: .regularExpression) {
                let found = rest[range]
                rest = rest[range.upperBound...]
                // Types of a file end at the left margin.
                let end = rest.range(of: "\n}")?.lowerBound ?? rest.endIndex
                if !found.contains("extension ") {
                    // The attributes stand on the lines before.
                    let before = source[..<range.lowerBound].split(separator: "\n").suffix(2).filter {
                        $0.hasPrefix("@")
                    }
                    head = (before + [found]).joined(separator: " ")
                } else {
                    head += " " + found
                }
                bodies += rest[..<end] + "\n"
            }
        }
    }

    /// True where it has a function of that name with these parameters, each by its label or its name.
    func has(_ member: ClassDiagram.Member) -> Bool {
        let start = member.name == "init" ? "init" : "func \(member.name)"
        var rest = bodies[...]
        while let range = rest.range(of: "\\b\(start)(?:<[^(]*>)?\\(", options: .regularExpression) {
            rest = rest[range.upperBound...]
            if Self.parameters(rest).elementsEqual(member.parameters, by: { $0.contains($1) }) { return true }
        }
        return false
    }

    /// Label and name of each parameter, up to the parenthesis that closes the list.
    private static func parameters(_ text: Substring) -> [[String]] {
        var depth = 0
        var list = [""]
        for character in text {
            if character == ")" && depth == 0 { break }
            if "([<{".contains(character) { depth += 1 }
            if ")]}".contains(character) || (character == ">" && list[list.count - 1].last != "-") { depth -= 1 }
            if character == "," && depth == 0 { list.append("") } else { list[list.count - 1].append(character) }
        }
        return list.map { $0.split(separator: ":")[...].first ?? "" }
            .map { $0.split(whereSeparator: \.isWhitespace).map { String($0) } }.filter { !$0.isEmpty }
    }
}

@Suite("The class diagram of DependencyInjection.md")
struct ClassDiagramTests {
    private let diagram: ClassDiagram
    private let sources: [String]
    private let declarations: [String: Declaration]

    init() throws {
        let drawn = try Document(named: "DependencyInjection.md").diagrams.filter { $0.first == "classDiagram" }
        try #require(drawn.count == 1)
        diagram = ClassDiagram(drawn[0])
        let folder = Document.root.appending(path: "Modules")
        let files = FileManager.default.enumerator(atPath: folder.path())
        var sources: [String] = []
        while let path = files?.nextObject() as? String {
            guard path.hasSuffix(".swift") else { continue }
            sources.append(try String(contentsOf: folder.appending(path: path), encoding: .utf8))
        }
        self.sources = sources
        declarations = diagram.shapes.reduce(into: [:]) { declarations, shape in
            let near = sources.filter { $0.contains(" \(shape.key)") }
            declarations[shape.key] = Declaration(of: shape.key, in: near)
        }
    }

    private func declaration(_ name: String) -> Declaration { declarations[name] ?? Declaration() }

    @Test("draws types that exist, as what they are")
    func kinds() {
        #expect(diagram.strange == [])
        #expect(diagram.shapes.count > 15)
        for (name, shape) in diagram.shapes {
            let head = declaration(name).head
            let words = shape.stereotype.split(separator: ", ").map { String($0) }
            #expect(head.contains("\(words[0]) \(name)"), "\(name) is no \(words[0]): \(head)")
            if words.contains("Sendable") { #expect(head.contains("Sendable"), "\(name): \(head)") }
            if words.contains("not Sendable") { #expect(!head.contains("Sendable"), "\(name): \(head)") }
            #expect(words.contains("main actor") == head.contains("@MainActor"), "\(name): \(head)")
        }
    }

    @Test("draws members that exist, with their parameters")
    func members() {
        for (name, shape) in diagram.shapes {
            let declaration = declaration(name)
            for member in shape.members {
                let isThere = declaration.has(member)
                #expect(isThere, "\(name) has no \(member.name)(\(member.parameters))")
            }
        }
        for invented in [("performSync", ["fast"]), ("performDance", [])] {
            let member = ClassDiagram.Member(name: invented.0, parameters: invented.1)
            let isThere = declaration("SyncEngine").has(member)
            #expect(!isThere, "\(member)")
        }
    }

    @Test(
        "draws every requirement of the ports but the store's, of which it draws some",
        arguments: [
            "NetworkClientProtocol", "EventRepositoryProtocol", "DataStoreFactory", "WallClock", "IdentifierGenerator",
        ])
    func requirements(_ port: String) throws {
        let text = try #require(sources.first { $0.contains("protocol \(port)") })
        let start = try #require(text.range(of: "protocol \(port)")).upperBound
        let body = text[start...].prefix(upTo: try #require(text[start...].range(of: "\n}")).lowerBound)
        let required = Set(body.matches(of: /func (\w+)/).map { String($0.1) })
        expectSame(documented: Set(diagram.shapes[port]?.members.map(\.name) ?? []), code: required)
    }

    @Test("draws arrows that the declarations bear out")
    func relations() {
        #expect(diagram.relations.count > 15)
        for relation in diagram.relations {
            let declaration = declaration(relation.from)
            #expect(diagram.shapes[relation.to] != nil, "\(relation)")
            let text = relation.arrow == "..|>" ? declaration.head : declaration.bodies
            // A mock is made over any store: it names the factory of the one in memory.
            let isNamed = text.range(of: "\\b\(relation.to)(Factory)?\\b", options: .regularExpression) != nil
            #expect(isNamed, "\(relation)")
        }
    }
}
