import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("reading JSON")
struct JSONReaderTests {
    private func foundation(_ json: Data) -> JSONValue? { try? JSONDecoder().decode(JSONValue.self, from: json) }
    private func own(_ json: Data) -> JSONValue? { try? JSONValue(parsing: json) }

    @Test(
        "valid JSON has the value that Foundation reads",
        arguments: [
            "null", "true", "false", "0", "-0", "-0.0", "1.0", "1e2", "1E+2", "1.5e1", "15e-1", "0e5", "0.1e-400",
            "2e-324",
            "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
            "9223372036854775807.0", "9.223372036854775807e18", "12345678901234567.0", "9007199254740993",
            "9007199254740993.0", "9007199254740993000e-3", "4503599627370497.5", "1.0000000000000000001", "1e18",
            "1e19", "1e-7", "1e22", "1e23",
            "18446744073709551610", "123456789012345678901234567890e-15", "0.30000000000000004",
            "100000000000000000.000000000000000000000000000000000000", "123456789012345678901234567890e-10",
            "1.7976931348623157e308", "5e-324", "2.2250738585072011e-308",
            #""""#, #""\"\\\/\b\f\n\r\t""#, #""\u0000\u00e4\u00C4\u20ac\uffff""#, #""\ud83d\ude00 \uD83D\uDE00""#,
            #""é漢👩‍🚀\u0065\u0301""#, "\"\u{7F}\u{2028}\u{FFFF}\"", "[]", "{}", " [ ] ", "\t{ }\r\n",
            #"[1,"a",[],{},null,true]"#, #"{"a":1,"b":{"c":[2]},"":3}"#, #" { "a" : [ 1 , 2 ] } "#,
            #"{"a":1,"a":2}"#, #"{"a":null,"a":2}"#, #"{"é":1,"e\u0301":2}"#, "\u{FEFF}1",
        ])
    func valid(_ text: String) throws {
        let expected = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(try JSONValue(parsing: Data(text.utf8)) == expected)
    }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "-a", "+1", ".5", "1.", "1.e1", "01", "-01", "1e",
            "1e+",
            "0x1", "1 2", "1,", "'a'", "\"", #""a"#, #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#,
            #""\udc00""#,
            #""\ud800\ud800""#, #""\ud800a""#, #""\ud800\n""#, "\"a\nb\"", "\"\u{0}\"", "[", "]", "[1", "[1,", "[1 2]",
            "[,1]", "[1}", "{", "}", #"{"a""#, #"{"a":"#, #"{"a":1"#, #"{"a" 1}"#, "{a:1}", #"{"a":1 "b":2}"#, "{1:2}",
            #"{"a":1]"#, "// c\n1", "1e400", "-1e400", "[1e400]", "1 /* c */",
        ])
    func invalid(_ text: String) {
        #expect(own(Data(text.utf8)) == nil)
        #expect(foundation(Data(text.utf8)) == nil)
    }

    @Test(
        "text that is not UTF-8 is refused",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80], [0x5C, 0xFF],
        ] as [[UInt8]])
    func invalidText(_ bytes: [UInt8]) {
        #expect(own(Data([0x22] + bytes + [0x22])) == nil)
        #expect(own(Data([0x22, 0x5C, 0x6E] + bytes + [0x22])) == nil)
    }

    /// Foundation takes these.
    @Test("a comma before the end, and other encodings than UTF-8, are refused")
    func strict() throws {
        for json in [Data("[1,]".utf8), Data(#"{"a":1,}"#.utf8), Data([0x31, 0x00]), Data([0xFF, 0xFE, 0x31, 0x00])] {
            #expect(own(json) == nil && foundation(json) != nil)
            // Callers get them as before.
            #expect(try WireCoding.decode(JSONValue.self, from: json) == foundation(json))
        }
    }

    @Test("512 levels are read, and one more is refused", arguments: [("[", "]"), (#"{"a":"#, "}")])
    func depth(_ begin: String, _ end: String) {
        func nested(_ levels: Int) -> Data {
            Data((String(repeating: begin, count: levels) + "1" + String(repeating: end, count: levels)).utf8)
        }
        #expect(own(nested(512)) != nil && own(nested(512)) == foundation(nested(512)))
        #expect(own(nested(513)) == nil)
        #expect(own(Data(String(repeating: begin, count: 1_000_000).utf8)) == nil)
    }

    @Test(
        "an error names the byte that is wrong",
        arguments: [
            (#"{"a":x}"#, "a value is missing; texts stand in double quotation marks at byte 5"),
            (#"{"a":}"#, "a value is missing at byte 5"), ("[1 2]", "',' or ']' is missing at byte 3"),
            ("['a']", "a text stands in single quotation marks, and not in double ones at byte 1"),
            ("[1,]", "there is a comma too many at byte 3"), (#"{"a":1,}"#, "there is a comma too many at byte 7"),
            ("{a:1}", "a name in double quotation marks is missing at byte 1"),
            ("[NaN]", "'NaN' is no number of JSON at byte 1"),
            ("1 2", "there is text after the end of the value at byte 2"),
            (#"["\q"]"#, "'\\q' is no escape of JSON, and a backslash itself is written '\\\\' at byte 2"),
            (#"["\u12"]"#, "'\\u' needs four hexadecimal digits at byte 2"),
            (#"["\ud800"]"#, "'\\u' has half of a surrogate pair, and the other half is missing at byte 2"),
            ("[1,1e400]", "the number 1e400 is too large at byte 3"), ("[01]", "'01' is no number of JSON at byte 1"),
            (#"{"a" 1}"#, "':' is missing at byte 5"), (#"["a"#, "a text has no end at byte 3"),
        ])
    func places(_ text: String, _ reason: String) throws {
        let error = #expect(throws: DecodingError.self) { try JSONValue(parsing: Data(text.utf8)) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("it throws \(String(describing: error))")
            return
        }
        #expect(context.debugDescription == "malformed JSON: \(reason)" && context.codingPath.isEmpty)
    }

    @Test("what is noted is passed, with its kind and its place, and the rest is still refused")
    func noted() throws {
        let text = #"{"a":["\ud800","\x",1e400,NaN,1e-400,"\u0000","é"],"b":[[[1]]]}"#
        try Array(text.utf8).withUnsafeBytes { bytes in
            var reader = JSONReader(bytes: bytes, noting: [.ofValues, .vanishing, .zero], depthLimit: 3)
            try reader.document { reader throws(JSONFault) in try reader.skipValue() }
            #expect(reader.faults.map(\.kind) == [.half, .escape, .infinite, .word, .vanishing, .zero, .depth])
            #expect(
                reader.faults.map { reader.text($0.place) } == [
                    #"\ud800"#, #"\"#, "1e400", "NaN", "1e-400", #"\u0000"#, "[1]",
                ])
            var strict = JSONReader(bytes: bytes, noting: [.half])
            let fault = #expect(throws: JSONFault.self) { try strict.skipValue() }
            #expect(fault?.kind == .escape && strict.faults.map(\.kind) == [.half])
        }
    }

    @Test("the nesting is open as long as a bracket or a text is")
    func nesting() {
        func nesting(_ text: String) -> JSONNesting {
            var nesting = JSONNesting()
            for byte in text.utf8 { nesting.pass(byte) }
            return nesting
        }
        for closed in ["1", #"{"a":"}\"]"}"#, #""\\""#, "[[],{}]"] { #expect(nesting(closed).isClosed, "\(closed)") }
        for open in ["[", #"{"a":"}"#, #""\""#, "[[]", #"["]"#] { #expect(!nesting(open).isClosed, "\(open)") }
        #expect(nesting("[]]").depth == -1)
    }

    @Test("a part of other data is read by its own bytes")
    func slices() throws {
        let data = Data(#"xx{"a":1}yy"#.utf8)
        #expect(try JSONValue(parsing: data[2..<9]) == ["a": 1])
    }

    @Test("random numbers are read as Foundation reads them")
    func numbers() throws {
        let values = RandomValues(seed: 21)
        for _ in 0..<20_000 {
            func digits(_ most: Int) -> String {
                (0...values.number(below: most)).map { _ in String(values.number(below: 10)) }.joined()
            }
            let whole = values.flag() ? String(values.number(below: 9) + 1) + digits(24) : "0"
            let fraction = values.flag() ? "." + digits(24) : ""
            let exponent = values.flag() ? "e" + values.pick(["", "+", "-"]) + digits(2) : ""
            let text = (values.flag() ? "-" : "") + whole + fraction + exponent
            let (read, expected) = (own(Data(text.utf8)), foundation(Data(text.utf8)))
            #expect(read == expected || isLargeFraction(text, read, expected), "\(text)")
        }
    }

    /// Whether it is a number of 2⁵³ or more with a fraction, as whole as its `Double` is: Foundation takes some of them for
    /// integers, without the fraction.
    private func isLargeFraction(_ text: String, _ read: JSONValue?, _ expected: JSONValue?) -> Bool {
        guard case .number(let number)? = read, number.magnitude >= 0x1p53, case .integer(let whole)? = expected else {
            return false
        }
        return text.contains { ".eE".contains($0) } && abs(Double(whole) - number) <= number.ulp
    }

    @Test(
        "a number with a fraction is no integer, unless its Double is exactly one",
        arguments: [
            "9007199254740993.5", "9007199254740992.5", "90071992547409935e-1", "9223372036854775807.5",
            "184467440737095516190e-3", "3205903978162658300000.17938903871e-5",
        ])
    func fractions(_ text: String) throws {
        #expect(try JSONValue(parsing: Data(text.utf8)) == .number(try #require(Double(text))))
    }

    @Test(
        "the number whose digits do not fit 64 bits is exact all the same",
        arguments: [
            ("18446744073709551610e-1", 1844674407370955161),
            ("100000000000000000.000000000000000000000000", 100000000000000000),
            ("-9223372036854775808000e-3", .integer(.min)), ("922337203685477580700000e-5", .number(0x1p63)),
        ] as [(String, JSONValue)])
    func longNumbers(_ text: String, _ value: JSONValue) throws {
        #expect(try JSONValue(parsing: Data(text.utf8)) == value)
    }

    @Test("of cut and changed JSON, what Foundation reads is read, and nothing else")
    func mutations() throws {
        let values = RandomValues(seed: 22)
        let odd = [UInt8](#"{}[]",:\/u0e-+.1 tfn"#.utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xED, 0xFF]
        for _ in 0..<20_000 {
            var bytes = [UInt8](try WireCoding.encode(values.json()))
            for _ in 0...values.number(below: 2) where !bytes.isEmpty {
                let place = values.number(below: bytes.count)
                switch values.number(below: 4) {
                case 0: bytes.removeSubrange(place...)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(values.pick(odd), at: place)
                default: bytes[place] = values.pick(odd)
                }
            }
            let json = Data(bytes)
            guard let value = own(json) else {
                #expect(foundation(json) == nil || isLax(bytes), "\(String(decoding: bytes, as: UTF8.self))")
                continue
            }
            let text = String(decoding: bytes, as: UTF8.self)
            // Large fractions are a matter of their own, see above.
            if text.contains(#/\d{15,}(\.|[eE]-)/#) { continue }
            #expect(value == foundation(json), "\(text)")
        }
    }

    /// Whether Foundation may take it although it is no JSON in UTF-8: a comma before the end, or UTF-16, which is
    /// guessed by zero bytes.
    private func isLax(_ bytes: [UInt8]) -> Bool {
        let solid = bytes.filter { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        let commas = zip(solid, solid.dropFirst()).contains { $0 == 0x2C && ($1 == 0x5D || $1 == 0x7D) }
        return commas || bytes.prefix(4).contains(0) || bytes.prefix(2) == [0xFF, 0xFE]
            || bytes.prefix(2) == [0xFE, 0xFF]
    }
}
