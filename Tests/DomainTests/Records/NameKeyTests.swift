import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("Names that are the same")
struct NameKeyTests {
    @Test(
        "have one key, whatever their case, their form and their blanks",
        arguments: [
            ("coffee", "Coffee"), ("coffee", " COFFEE\t"), ("Caf\u{E9}", "CAFE\u{301}"),
            ("\u{CEE4}\u{D53C}", "\u{110F}\u{1165}\u{1111}\u{1175}"), ("Stra\u{DF}e", "STRASSE"),
            ("stra\u{1E9E}e", "strasse"), ("\u{FF54}\u{FF45}\u{FF41}", "tea"),
            ("\u{FF7A}\u{FF70}\u{FF8B}\u{FF70}", "コーヒー"),
            ("green tea", "green\u{A0}tea"), ("green tea", "green \u{3000}\n tea"), ("tea", "tea\u{200B}"),
            ("tea", "te\u{AD}a"), ("\u{FEFF}tea", "tea"), ("❤", "❤\u{FE0F}"), ("\u{FB01}tness", "Fitness"),
            ("ΟΔΟΣ", "οδος"), ("οδός", "ΟΔΌΣ"), ("ǅ", "dž"), ("\u{212B}", "å"), ("a\u{327}\u{301}", "A\u{301}\u{327}"),
            ("ſea", "Sea"), ("Жук", "жУК"), ("\u{130}la\u{E7}", "i\u{307}lac\u{327}"), ("", " \u{200D} "),
        ])
    func same(_ one: String, _ other: String) {
        #expect(NameKey(one) == NameKey(other))
        #expect(Array(NameKey(one).text.utf8) == Array(NameKey(other).text.utf8))
    }

    @Test(
        "do not differ in their letters, accents or words",
        arguments: [
            ("tea", "teas"), ("cafe", "café"), ("green tea", "greentea"), ("\u{130}la\u{E7}", "ila\u{E7}"),
            ("kıl", "kil"),
            ("かき", "がき"), ("ハ", "バ"), ("run 1", "run 2"), ("e-mail", "email"),
            (
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
            ),
            ("👍🏽", "👍🏿"), ("", "x"),
        ])
    func different(_ one: String, _ other: String) { #expect(NameKey(one) != NameKey(other)) }

    @Test("have a key that is its own key, for every character and beside others")
    func idempotent() {
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for name in [String(scalar), "a\(scalar)\u{301} b"] {
                let key = NameKey(name).text
                #expect(Array(NameKey(key).text.utf8) == Array(key.utf8), "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test("plain names and others are folded alike")
    func plain() {
        for name in ["Coffee", "a b", " a", "a  b", "a ", "", " ", "A-1 (x)", "~"] {
            let whole = NameKey(name + "\u{200B}").text
            #expect(NameKey(name).text == whole, "'\(name)'")
        }
    }

    @Test("a natural key takes names by their keys, and the ids of parents as they are")
    func naturalKeys() throws {
        func key(_ type: String, _ name: String) throws -> NaturalKey? {
            try NaturalKey(makePropertyDefinition(eventTypeId: type, key: name))
        }
        #expect(try key("a", "Size") == key("a", "ｓｉｚｅ"))
        #expect(try key("a", "Size") != key("A", "Size"))
        #expect(NaturalKey(of: EventType.self, in: ["name": .null]) == nil)
        #expect(NaturalKey(of: Event.self, in: ["id": "x"]) == nil)
    }

    @Test("records are the same by their names, or by the exact values by which they are recognised")
    func records() {
        #expect(EventType.isSame(["id": "1", "name": "Tea"], ["id": "2", "name": "tea "]))
        #expect(Geofence.isSame(["name": "HOME"], ["name": "home"]))
        #expect(Event.isSame(["healthkit_sample_id": "a"], ["healthkit_sample_id": "a"]))
        #expect(!Event.isSame(["healthkit_sample_id": "a"], ["healthkit_sample_id": "A"]))
        #expect(!Event.isSame(["healthkit_sample_id": .null], ["healthkit_sample_id": .null]))
        #expect(!Event.isSame([:], [:]))
    }
}
