extension SwiftSource {
    /// A declaration that other modules can see.
    struct PublicDeclaration: Equatable {
        /// How it begins, as in `func save` or `case low, high`.
        let name: String
        /// The line of its first attribute, modifier or keyword.
        let line: Int
    }

    /// What other modules can see: everything that is itself `public` or `open`, the requirements of such a
    /// protocol, the cases of such an enum, and what an extension that is `public` makes so.
    ///
    /// Imports and extensions are none: they declare nothing.
    func publicDeclarations() -> [PublicDeclaration] {
        var scanner = DeclarationScanner(tokens())
        return scanner.scan()
    }
}

/// Walks through the bodies of types and extensions, and past those of functions.
private struct DeclarationScanner {
    /// What stands around a member.
    private struct Scope {
        /// The keyword of what is declared, or none for a file.
        var keyword = ""
        var isPublic = false

        /// Whether a member without an access level of its own is public here.
        func publishes(_ keyword: String) -> Bool {
            switch self.keyword {
            case "protocol", "extension": isPublic
            case "enum": isPublic && keyword == "case"
            default: false
            }
        }
    }

    private static let types: Set = ["struct", "class", "enum", "actor", "protocol", "extension"]
    private static let members: Set = [
        "let", "var", "func", "init", "subscript", "typealias", "associatedtype", "case", "operator", "macro",
        "precedencegroup", "import", "deinit",
    ]
    private static let access: Set = ["public", "open", "package", "internal", "fileprivate", "private"]
    private static let modifiers: Set = access.union([
        "static", "final", "override", "required", "convenience", "lazy", "weak", "unowned", "mutating",
        "nonmutating", "consuming", "borrowing", "nonisolated", "isolated", "distributed", "indirect", "optional",
        "dynamic", "prefix", "postfix", "infix", "sending",
    ])

    private let tokens: [SwiftSource.Token]
    private var position = 0
    private var found: [SwiftSource.PublicDeclaration] = []

    init(_ tokens: [SwiftSource.Token]) {
        self.tokens = tokens
    }

    mutating func scan() -> [SwiftSource.PublicDeclaration] {
        // A brace too many ends no file.
        while current != nil { members(of: Scope()) }
        return found
    }

    /// Reads what is declared up to the brace that ends the scope, and that brace.
    private mutating func members(of scope: Scope) {
        while let token = current {
            if token.text == "}" {
                position += 1
                return
            }
            if !token.opensStatement || !declaration(in: scope) { skip() }
        }
    }

    /// Reads a declaration that begins here; goes nowhere and says no where none does.
    private mutating func declaration(in scope: Scope) -> Bool {
        let start = position
        var inner = scope
        var level: String?
        while let token = current, isModifier(token) {
            position += 1
            if current?.text == "(", token.text.hasPrefix("@") || isDetail(at: position) {
                skip()
            } else if Self.access.contains(token.text) {
                level = token.text
            }
        }
        guard let keyword = current?.text, Self.types.contains(keyword) || Self.members.contains(keyword) else {
            position = start
            return false
        }
        position += 1
        inner.isPublic = level.map { $0 == "public" || $0 == "open" } ?? scope.publishes(keyword)
        inner.keyword = keyword
        if inner.isPublic, keyword != "import", keyword != "extension" {
            found.append(.init(name: name(after: keyword), line: tokens[start].line))
        }
        guard Self.types.contains(keyword) else {
            // A name may look like a keyword, and so may the names of cases.
            if !["init", "subscript", "deinit"].contains(keyword) { position += 1 }
            return true
        }
        while let token = current, token.text != "{" { skip() }
        position += 1
        members(of: inner)
        return true
    }

    private func isModifier(_ token: SwiftSource.Token) -> Bool {
        // `class func`, as opposed to `class Name`.
        if token.text == "class" {
            return ["func", "var", "let", "subscript"].contains(text(at: position + 1))
        }
        return token.text.hasPrefix("@") || Self.modifiers.contains(token.text)
    }

    /// Whether a modifier has a detail in parentheses, as in `private(set)` and `nonisolated(unsafe)`.
    private func isDetail(at index: Int) -> Bool {
        ["set", "unsafe", "nonsending", "safe"].contains(text(at: index + 1)) && text(at: index + 2) == ")"
    }

    /// The keyword with the names that follow it: one, or those of all cases of a statement.
    private func name(after keyword: String) -> String {
        var names = [text(at: position)]
        var index = position + 1
        while keyword == "case", index < tokens.count, !tokens[index].opensStatement {
            if tokens[index].text == "(" { index = end(of: index) }
            if text(at: index) == "," { names.append(text(at: index + 1)) }
            index += 1
        }
        let first = ["init", "subscript"].contains(keyword) ? keyword : "\(keyword) \(names[0])"
        return ([first] + names.dropFirst()).joined(separator: ", ")
    }

    private var current: SwiftSource.Token? {
        position < tokens.count ? tokens[position] : nil
    }

    private func text(at index: Int) -> String {
        index < tokens.count ? tokens[index].text : ""
    }

    /// Goes past one token, or past all that stands between two that belong together.
    private mutating func skip() {
        position = end(of: position)
    }

    private func end(of start: Int) -> Int {
        var open: [String] = []
        var index = start
        repeat {
            if let closing = tokens[index].closing { open.append(closing) }
            if tokens[index].text == open.last { open.removeLast() }
            index += 1
        } while index < tokens.count && !open.isEmpty
        return index
    }
}
