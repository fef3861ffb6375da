import Testing
import TrendyDomain

@testable import TrendyApp

@Suite("The text of the configuration file")
struct ConfigurationDocumentTests {
    private func text(_ text: String, _ change: (inout ConfigurationDocument) throws -> Void) throws -> String {
        var document = try ConfigurationDocument(Array(text.utf8))
        try change(&document)
        return String(decoding: document.bytes, as: UTF8.self)
    }

    @Test(
        "a value is set and everything else stays",
        arguments: [
            ("", "{\n  \"timeout\": 5\n}\n"),
            ("{}", "{\n  \"timeout\": 5\n}"),
            ("{\n  // mine\n}\n", "{\n  // mine\n  \"timeout\": 5\n}\n"),
            ("{\"a\": 1}", "{\"a\": 1, \"timeout\": 5}"),
            ("{\"a\": 1, }", "{\"a\": 1, \"timeout\": 5 }"),
            ("{\n\t\"a\": [1, {\"b\": \"}\"}]\n}", "{\n\t\"a\": [1, {\"b\": \"}\"}],\n\t\"timeout\": 5\n}"),
            (
                "{\n  \"a\": 1 // why, \"timeout\": 3\n  // the end\n}",
                "{\n  \"a\": 1, // why, \"timeout\": 3\n  \"timeout\": 5\n  // the end\n}"
            ),
            (
                "{\n  \"a\": 1, /* over\n two lines */\n}",
                "{\n  \"a\": 1, /* over\n two lines */\n  \"timeout\": 5\n}"
            ),
            ("{\r\n  \"a\": 1\r\n}\r\n", "{\r\n  \"a\": 1,\r\n  \"timeout\": 5\r\n}\r\n"),
            ("{ \"timeout\" : 30 /* s */, \"x\": \"é☕\" }", "{ \"timeout\" : 5 /* s */, \"x\": \"é☕\" }"),
            ("{\"timeout\": 1, \"timeout\": 2}", "{\"timeout\": 1, \"timeout\": 5}"),
            ("{\"time\\u006fut\": 1}", "{\"time\\u006fut\": 5}"),
            ("\u{FEFF}{\"timeout\": 1}", "\u{FEFF}{\"timeout\": 5}"),
            ("{\n  \"a\": 1}", "{\n  \"a\": 1,\n  \"timeout\": 5}"),
        ])
    func set(before: String, after: String) throws {
        #expect(try text(before) { try $0.set("timeout", to: .integer(5)) } == after)
        #expect(try ConfigurationDocument(Array(after.utf8)).value("timeout") == .integer(5))
    }

    @Test(
        "a key is taken away with its comma, and its line where it is alone there",
        arguments: [
            ("{\n  \"timeout\": 5\n}\n", "{\n}\n"),
            ("{\"timeout\": 5, \"a\": 1}", "{\"a\": 1}"),
            ("{\"a\": 1, \"timeout\": 5}", "{\"a\": 1}"),
            ("{\n  \"timeout\": 5,\n  \"a\": 1\n}", "{\n  \"a\": 1\n}"),
            ("{\n  \"a\": 1,\n  \"timeout\": 5\n}", "{\n  \"a\": 1\n}"),
            ("{\n  \"a\": 1, // one\n  \"timeout\": 5 // five\n}", "{\n  \"a\": 1 // one\n   // five\n}"),
            ("{\"timeout\": 1, \"timeout\": 2, \"b\": {}}", "{\"b\": {}}"),
        ])
    func remove(before: String, after: String) throws {
        #expect(try text(before) { try $0.remove("timeout") } == after)
    }

    @Test(
        "what is not an object is refused, with the line",
        arguments: [
            ("[1]", 1), ("{", 1), ("{\n\"a\": }", 2), ("{\"a\": 1\n\"b\": 2}", 2), ("{a: 1}", 1), ("{\"a\": 1} x", 1),
            ("{\n/* no end", 2), ("{\"a\": nul}", 1), ("{\"a\" 1}", 1), ("{\"a", 1), ("{\"a\": \"x", 1), ("5", 1),
            ("{\"a\": 1,,}", 1), ("{,}", 1), ("{\"a\": [1}", 1), ("{\"a\": 1}}", 1),
        ])
    func refused(text: String, line: Int) {
        #expect { try ConfigurationDocument(Array(text.utf8)) } throws: {
            ($0 as? ConfigurationSyntaxError)?.line == line
        }
    }

    @Test("slashes within texts are no comments")
    func slashes() throws {
        let document = try ConfigurationDocument(Array("{\"server\": \"https://a.example/*\" /* \"x\" */}".utf8))
        #expect(document.texts == ["server": "https://a.example/*"])
    }
}
