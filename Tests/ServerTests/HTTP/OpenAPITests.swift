import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("Docs/openapi.yaml")
struct OpenAPITests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func lines() throws -> [String] {
        let file = Self.root.appending(path: "Docs/openapi.yaml")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    /// "get /api/v1/events" for every operation in the document.
    private func documented() throws -> Set<String> {
        var operations: Set<String> = []
        var path: String?
        let methods = ["get", "put", "post", "delete", "patch"]
        for line in try lines() {
            if line.hasPrefix("  /"), line.hasSuffix(":") {
                path = String(line.dropFirst(2).dropLast())
            } else if !line.hasPrefix("   ") {
                path = nil
            } else if let path, let method = methods.first(where: { line == "    \($0):" }) {
                operations.insert("\(method) \(path)")
            }
        }
        return operations
    }

    @Test("has exactly the routes of the server")
    func routes() throws {
        let served = try TestServer().server.routes.map { "\($0.method.rawValue.lowercased()) \($0.path)" }
        let documented = try documented()
        #expect(documented.subtracting(served).sorted() == [])
        #expect(Set(served).subtracting(documented).sorted() == [])
    }

    @Test("has a schema with every field of every kind of record")
    func fields() throws {
        let text = try lines()
        for (schema, fields) in [
            ("Event", Event.fields), ("EventType", EventType.fields), ("Geofence", Geofence.fields),
            ("PropertyDefinition", PropertyDefinition.fields),
        ] {
            let start = try #require(text.firstIndex(of: "    \(schema)Fields:"))
            let end = text[(start + 1)...].firstIndex { !$0.hasPrefix("     ") } ?? text.endIndex
            for field in fields {
                #expect(
                    text[start..<end].contains { $0.hasPrefix("        \(field):") }, "\(schema) lacks \(field)")
            }
        }
    }

    @Test("names every kind of problem")
    func problems() throws {
        let text = try lines().joined()
        for kind in ServerProblem.Kind.allCases {
            #expect(text.contains("urn:trendy:error:\(kind.urnName)"), "\(kind)")
        }
    }

    @Test("says what an id is, as the server does")
    func ids() throws {
        let line = try #require(try lines().first { $0.hasPrefix("      pattern: '^[0-9A-Fa-f]{8}-") })
        let pattern = try Regex(line.replacing("      pattern: '", with: "").replacing("'", with: ""))
        for text in [
            id(1), id(1).uppercased(), "01900000-0000-7000-8000-000000000001", "01900000-0000-7fff-bfff-ffffffffffff",
            "01900000-0000-4000-8000-000000000001", "01900000-0000-7000-c000-000000000001", "",
            "0190000000007000-8000-000000000001", "01900000-0000-7000-8000-00000000000g",
            "01900000-0000-7000-8000-0000000000011",
        ] { #expect((text.wholeMatch(of: pattern) != nil) == (UUIDv7(text) != nil), "\(text)") }
    }
}
