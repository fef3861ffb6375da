import Testing
import TrendyNotation
import TrendyTestSupport

@testable import TrendyInterchange

@Suite("Reading CSV")
struct CSVReaderTests {
    /// What a reader gives: the fields of each row, or "!" and what is wrong, each with its line.
    private func read(_ bytes: [UInt8], pieces: Int) throws -> [String] {
        var reader = CSVReader(MemorySource(bytes, pieceSize: pieces))
        var found: [String] = []
        while let next = try reader.next() {
            switch next {
            case .success(let row):
                found.append("\(row.line):" + (0..<row.count).map { row.text($0) ?? "?" }.joined(separator: "|"))
            case .failure(let problem): found.append("\(problem.line)!\(problem.message)")
            }
        }
        return found
    }

    static let cases: [(String, [String])] = [
        ("", []),
        ("a,b\n1,2\n", ["1:a|b", "2:1|2"]),
        ("a,b\r\n1,2\r\n", ["1:a|b", "2:1|2"]),
        ("a,b\n1,2", ["1:a|b", "2:1|2"]),
        ("\u{FEFF}a,b\n", ["1:a|b"]),
        ("a,,\n,\n", ["1:a||", "2:|"]),
        ("\n\na\n\r\nb\n", ["3:a", "5:b"]),
        ("\"a\",\"b\"\"c\"\n", ["1:a|b\"c"]),
        ("\"x\ny\r\nz\",2\nnext,3\n", ["1:x\ny\r\nz|2", "4:next|3"]),
        ("\"\"\n\"\",\"\"\n", ["1:", "2:|"]),
        ("a\"b,c\n", ["1:a\"b|c"]),
        ("\"a\"", ["1:a"]),
        ("\"a\"\r", ["1:a"]),
        ("é,日本\n", ["1:é|日本"]),
        ("h\n\"open,1\nnext\n", ["1:h", "2!the closing quote of a field is missing", "3:next"]),
        ("\"a\"b,1\nnext\n", ["1!there is text after a closing quote", "2:next"]),
        ("a,b\r1,2\r\r3,4", ["1:a|b", "2:1|2", "4:3|4"]),
        ("\"a\nb\",\"c\rd\"\r\"e\",f\r", ["1:a\nb|c\rd", "3:e|f"]),
        ("h\r\"a\"b,1\rnext\r", ["1:h", "2!there is text after a closing quote", "3:next"]),
        ("a\rb,c\nd,e\n", ["1:a\rb|c", "2:d|e"]),
        ("sep=;\r\na,b\r\n", ["2:a|b"]), ("\u{FEFF}SEP=,\na,b\n", ["2:a|b"]),
        ("\"sep=\t\"\ra,b\r", ["2:a|b"]), ("sep=;", []), ("sep=x\na\n", ["1:sep=x", "2:a"]),
        ("sep=;;\na\n", ["1:sep=;;", "2:a"]), ("a\nsep=;\n", ["1:a", "2:sep=;"]),
        ("\"lost,1\n2\n\"good, one\",3\n", ["1!there is text after a closing quote", "2:2", "3:good, one|3"]),
    ]

    @Test("each text gives its rows, however it is cut into pieces", arguments: cases)
    func table(text: String, expected: [String]) throws {
        for pieces in [1, 2, 3, 7, 1000] {
            #expect(try read(Array(text.utf8), pieces: pieces) == expected, "pieces of \(pieces)")
        }
    }

    @Test("the first line may name what is between the fields")
    func ownDelimiter() throws {
        let cases: [(text: String, expected: String?)] = [
            ("sep=;\na;b\n", ";"), ("\"sep=\t\"\r\na", "\t"), ("a;b\n", nil), ("", nil),
        ]
        for (text, expected) in cases {
            var reader = CSVReader(MemorySource(Array(text.utf8), pieceSize: 2))
            let found = try reader.ownDelimiter()
            #expect(found == expected?.utf8.first, "\(text)")
        }
    }

    @Test("an invalid byte spoils its field only")
    func invalidByte() throws {
        #expect(try read(Array("a,".utf8) + [0xFF] + Array(",c\nd\n".utf8), pieces: 4) == ["1:a|?|c", "2:d"])
    }

    @Test("UTF-16 is recognised and refused")
    func utf16() {
        #expect(throws: InputError.self) { try read([0xFF, 0xFE, 0x61, 0x00], pieces: 1) }
    }

    @Test("a quote that is never closed costs its line, not the file, and bounded memory")
    func endlessQuote() throws {
        let line = String(repeating: "x", count: 99) + "\n"
        let text = "h\n\"open\n" + String(repeating: line, count: 40_000)
        let found = try read(Array(text.utf8), pieces: 1 << 16)
        #expect(found.count == 40_002)
        #expect(found[1].hasPrefix("2!the record is longer than"))
    }

    @Test("an overlong line is passed over")
    func overlongLine() throws {
        let text = "\"" + String(repeating: "x", count: 3 << 20) + "\"\nnext\n"
        let found = try read(Array(text.utf8), pieces: 1 << 16)
        #expect(found.count == 2)
        #expect(found.last == "2:next")
    }

    @Test("whatever is written is read back", arguments: 0..<40)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandomSource(seed: seed)
        let pieces = ["a", "\"", ",", "\n", "\r\n", "", " ", "é", "'", "\"\"", "x,y", "\u{1F600}"]
        let width = Int.random(in: 1...5, using: &random)
        let rows = (0..<Int.random(in: 1...30, using: &random)).map { _ in
            (0..<width).map { _ in
                (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
        }
        var writer = CSVWriter()
        for row in rows { writer.add(row) }
        var reader = CSVReader(MemorySource(writer.take(), pieceSize: Int.random(in: 1...50, using: &random)))
        var found: [[String]] = []
        while let next = try reader.next() {
            let row = try next.get()
            found.append((0..<row.count).compactMap { row.text($0) })
        }
        #expect(found == rows)
    }
}
