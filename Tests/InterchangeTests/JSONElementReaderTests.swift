import Testing
import TrendyNotation

@testable import TrendyInterchange

@Suite("JSON in pieces")
struct JSONElementReaderTests {
    private func elements(_ text: String, pieceSize: Int) throws -> [String] {
        var reader = JSONElementReader(MemorySource(Array(text.utf8), pieceSize: pieceSize))
        var found: [String] = []
        while let element = try reader.next() {
            let section = element.section.map { "\($0)/" } ?? ""
            found.append("\(section)\(element.line) \(String(decoding: element.bytes, as: UTF8.self))")
        }
        return found
    }

    @Test("elements come with their arrays and lines, wherever the pieces of the file end", arguments: [1, 2, 7, 1000])
    func pieces(size: Int) throws {
        let text = "\u{FEFF}{\"a\" : [\n{\"x\":\"}]\\\"\"},\n 12,\"s\" ], \"n\":3.5, \"o\":{\"p\":[1]},\n\"b\":[]}\n"
        #expect(
            try elements(text, pieceSize: size) == [
                "a/2 {\"x\":\"}]\\\"\"}", "a/3 12", "a/3 \"s\"", "n/3 3.5", "o/3 {\"p\":[1]}",
            ])
        #expect(try elements("[\n[1,2],\n{},]", pieceSize: size) == ["2 [1,2]", "3 {}"])
    }

    @Test(
        "what is not JSON, or not all of it, is refused with its line",
        arguments: [
            "", "x", "[1", "[{\"a\":1}", "{\"a\":[1]", "{\"a\" [1]}", "{1:2}", "[\"a", "[1] 2", "[1}]", "{\"a\"",
        ])
    func broken(text: String) {
        #expect(throws: InputError.self) { try elements(text, pieceSize: 3) }
    }
}
