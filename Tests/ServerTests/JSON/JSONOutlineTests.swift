import Foundation
import Testing
import TrendyDomain

@testable import TrendyServer

@Suite("The outline of a JSON text")
struct JSONOutlineTests {
    @Test(
        "is refused where RFC 8259 refuses the text",
        arguments: [
            "", " ", "{", "[", "[1,]", #"{"a":1,}"#, "01", "-", "1.", ".5", "+1", "1e", "1e+", "tru", "nulll", "NaN",
            "[1 2]",
            #"{"a" 1}"#, "{a:1}", "{'a':1}", #"{"a":1]"#, "[1}", #""a"#, #""\x""#, #""\u12g4""#, "\"a\nb\"", "1 1",
            "[1]/**/", #"{"a"}"#, #"{,}"#, "[,]", "0x10", "--1", "]", "\"\\u00",
        ])
    func malformed(text: String) {
        #expect(throws: JSONFault.self) { try JSONOutline(of: Data(text.utf8)) }
    }

    @Test(
        "is refused where the bytes are no UTF-8",
        arguments: [
            [0xFF], [0xC0, 0xAF], [0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func badUTF8(bytes: [UInt8]) throws {
        let text = Data([0x22] + bytes + [0x22])
        #expect(throws: JSONFault.self) { try JSONOutline(of: text) }
        let utf16 = try #require("{}".data(using: .utf16LittleEndian))
        #expect(throws: JSONFault.self) { try JSONOutline(of: utf16) }
    }

    @Test(
        "is made of every text that RFC 8259 allows",
        arguments: [
            "0", "-0", "-0.0e-0", "1E+2", "null", " true\r\n\t", "\"\"", #""\"\\\/\b\f\n\r\té\ud83d\ude00""#, "[]",
            "[ ]", "{}",
            "{ }", "[[],{},[{}]]", #"{"":0}"#, "\"é€😀\u{7F}\"", "\u{FEFF}{}", #"{"a":[1,2.5,{"b":null}],"a":2}"#,
        ])
    func wellFormed(text: String) throws {
        #expect(try JSONOutline(of: Data(text.utf8)).troubles == [])
    }

    @Test("knows the parts of the outermost value")
    func parts() throws {
        let text = #" {"a":[1,{"b":2}], "\u0062" : "x" ,"c":-1.5}"#
        let outline = try JSONOutline(of: Data(text.utf8))
        let bytes = Array(text.utf8)
        #expect(outline.kind == .object)
        #expect(outline.members.map(\.name) == ["a", "b", "c"])
        #expect(outline.members.map(\.kind) == [.array, .string, .number])
        #expect(
            outline.members.map { String(decoding: bytes[$0.value], as: UTF8.self) } == [
                #"[1,{"b":2}]"#, #""x""#, "-1.5",
            ])
        #expect(outline.members.map(\.elements.count) == [2, 0, 0])
        let array = try JSONOutline(of: Data(#"{"a":[ 1 , "a,]" ,[2,[3]]],"b":[]}"#.utf8))
        #expect(array.members.map(\.elements) == [[7..<8, 11..<16, 18..<25], []])
        #expect(try JSONOutline(of: Data("[[1]]".utf8)).kind == .array)
    }

    @Test("leads to the members of the objects in it")
    func members() throws {
        let text = #"{"a" : {"b":"}\""} ,"c":[1,"]",{"d":2}],"e":-1.5e3 , "f":"\\","g":null}"#
        var found: [String] = []
        try Array(text.utf8).withUnsafeBytes { bytes in
            let json = JSONMembers(bytes: bytes)
            try json.forEach(in: 0..<bytes.count) { name, value in
                found += [name, String(decoding: bytes[value], as: UTF8.self)]
            }
        }
        #expect(
            found == [
                "a", #"{"b":"}\""}"#, "c", #"[1,"]",{"d":2}]"#, "e", "-1.5e3", "f", #""\\""#, "g", "null",
            ])
    }

    @Test(
        "names what no value can hold",
        arguments: [
            (#"{"a":{"b":[0,1e400]}}"#, "a.b.1"), (#"{"a":"\ud800"}"#, "a"), (#"{"a":"\udc00\ud800"}"#, "a"),
            (#"{"a":"\ud800\u0041"}"#, "a"), (#"[1e-400]"#, "0"),
            ("{\"a\":-1" + String(repeating: "0", count: 400) + "}", "a"),
        ])
    func troubles(text: String, path: String) throws {
        #expect(try JSONOutline(of: Data(text.utf8)).troubles.first?.path.joined(separator: ".") == path)
    }

    @Test("is not disturbed by zeros, small numbers or depth that is just allowed")
    func noTroubles() throws {
        let deep = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        for text in ["0e999", "-0.000e-999", "1e308", "1e-307", #""\ud83d\ude00""#, deep] {
            #expect(try JSONOutline(of: Data(text.utf8)).troubles == [], "\(text)")
        }
        #expect(try JSONOutline(of: Data("[\(deep)]".utf8)).troubles.count == 1)
        let deepest = String(repeating: "[", count: 200_000) + String(repeating: "]", count: 200_000)
        #expect(try JSONOutline(of: Data(deepest.utf8)).troubles.count == 1)
    }
}
