import Testing

@Suite("The documentation of what is public")
struct PublicDocumentationTests {
    @Test("every public declaration in Modules has a comment: none is without")
    func complete() throws {
        let sources = try SwiftSource.all(in: "Modules", of: packageRoot)
        // A checker that lost its way would find little, and nothing wrong with it.
        #expect(sources.flatMap { $0.publicDeclarations() }.count > 1000)
        #expect(sources.flatMap { $0.undocumented() } == [])
    }

    @Test(
        "one without is found, whatever it is",
        arguments: [
            ("public struct Box {}", "struct Box"),
            ("public final class Box {}", "class Box"),
            ("public actor Box {}", "actor Box"),
            ("public protocol Port {}", "protocol Port"),
            ("public typealias Name = String", "typealias Name"),
            ("public func save(_ type: any P) throws", "func save"),
            ("@MainActor @discardableResult public static func go() -> Int { 1 }", "func go"),
            ("@available(*, deprecated)\n    public class func go() { let a = 1 }", "func go"),
            ("public static func == (a: Box, b: Box) -> Bool { true }", "func =="),
            ("prefix public static func ! (a: Box) -> Bool { true }", "func !"),
            ("public func `default`() {}", "func `default`"),
            ("public init?(from: Int) { nil }", "init"),
            ("public convenience init() {}", "init"),
            ("public subscript(index: Int) -> Int { 1 }", "subscript"),
            ("open var count: Int { get { 1 } set {} }", "var count"),
            ("public private(set) var count = 0", "var count"),
            ("private(set) public var count = 0", "var count"),
            ("public internal(set) nonisolated(unsafe) var count = 0", "var count"),
            ("override public let name = \"public func\"", "let name"),
            ("public enum Level { private case hidden }", "enum Level"),
        ])
    func found(code: String, name: String) {
        for text in [
            "\(code)\n", "extension Outer {\n    \(code)\n}\n", "struct Outer { struct Inner {\n\(code)\n} }\n",
        ] {
            #expect(Self.undocumented(text) == [name], "\(text)")
            let documented = text.replacing(code, with: "/// What it is.\n\(code)")
            #expect(Self.undocumented(documented) == [], "\(documented)")
        }
    }

    @Test("a public protocol's requirements and a public enum's cases need no word of their own to be public")
    func implied() {
        let code = """
            /// A port.
            public protocol Port: Sendable where Item: Hashable {
                associatedtype Item
                static var limit: Int { get }
                /// What saves.
                func save<T: Equatable>(
                    _ item: T,
                    at place: [String: Int]
                ) async throws(Failure) -> (T) -> Void
                init(limit: Int)
                subscript(index: Int) -> Int { get set }
            }
            /// A level.
            public enum Level: String {
                case low, high(Int, of: [Int]), `default` = "case x"
                indirect case nested(Level)
                /// None.
                case none
                var name: String { switch self { case .low: "a"; default: "b" } }
            }
            """
        #expect(
            Self.undocumented(code) == [
                "associatedtype Item", "var limit", "init", "subscript", "case low, high, `default`", "case nested",
            ])
    }

    @Test("a public extension publishes what it contains, and asks for no comment itself")
    func extensions() {
        let code = """
            public extension Box {
                func go() {}
                internal func stay() {}
                struct Part { var hidden = 1 }
            }
            extension Box { func stay() {}
                public func leave() {} }
            """
        #expect(Self.undocumented(code) == ["func go", "struct Part", "func leave"])
    }

    @Test("nothing escapes in a branch of conditional compilation, or after code that looks odd")
    func oddPlaces() {
        let code = """
            #if os(Linux)
                public func go() {}
            #else
                public func come() {}
            #endif
            struct Box {
                let open = [{ "}" }, { "{" }]
                var state: Int { didSet { print("\\(open[0]() + "}")") } }; public var count = 0
                let value = Self.public
                public func leave() {}
            }
            }
            public let last = 1
            """
        #expect(Self.undocumented(code) == ["func go", "func come", "var count", "func leave", "let last"])
    }

    @Test(
        "what is no documentation, or that of something else, does not count",
        arguments: ["// What it is.", "///", "/// ---", "//// What it is.", "/// What it was.\n", "/// A.\nlet a = 1"])
    func noDocumentation(comment: String) {
        #expect(Self.undocumented("\(comment)\npublic let b = 1") == ["let b"])
    }

    @Test("what is not public needs none")
    func lookalikes() {
        let code = """
            public import Foundation
            import struct Foundation.Date
            struct Box: Codable {
                // public var a = 1
                let text = "public var b"
                private enum Keys { case a, b }
                package func go() { func inner() {}; switch a { case .b: break } }
                protocol Port { func save() }
            }
            enum Level { case low }
            /// A box.
            public class Store {
                let hidden = 1
                init() {}
            }
            """
        #expect(Self.undocumented(code) == [])
    }

    private static func undocumented(_ code: String) -> [String] {
        let suffix = " is public and has no documentation comment"
        return SwiftSource(path: "File.swift", text: code).undocumented().map {
            $0.message.replacing(suffix, with: "")
        }
    }
}
