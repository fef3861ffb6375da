import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("Properties of an event by name")
struct PropertyNameTests {
    private static let composed = "Gr\u{F6}\u{DF}e"
    private static let decomposed = "Gro\u{308}\u{DF}e"

    @Test("a value is read under the key that is spelt so, or else under the first one that is the same")
    func reading() {
        let both: [String: PropertyValue] = ["size": .number(1), "SIZE": .number(2), "sizes": .number(3)]
        #expect(both[property: "size"] == .number(1))
        #expect(both[property: "SIZE"] == .number(2))
        #expect(both[property: "Size"] == .number(2))
        #expect(both[property: "siz"] == nil)
        let umlaut: [String: PropertyValue] = [Self.decomposed: .number(4)]
        #expect(umlaut[property: Self.composed] == .number(4))
        #expect(umlaut[property: "GR\u{D6}SSE"] == .number(4))
        #expect([String: PropertyValue]()[property: "size"] == nil)
    }

    @Test("a change keeps the spelling that is there, and leaves no second one")
    func writing() {
        let definitions = [makePropertyDefinition(key: "size")]
        var properties: [String: PropertyValue] = ["Size": .number(1)]
        properties.set(.number(2), of: "size", among: definitions)
        #expect(properties == ["Size": .number(2)])
        properties["SIZE"] = .number(3)
        properties.set(.number(4), of: "Size", among: [])
        #expect(properties == ["Size": .number(4)])
        properties.set(nil, of: "SIZE", among: definitions)
        #expect(properties.isEmpty)
        properties.set(.number(5), of: "SIZE", among: definitions)
        #expect(properties == ["size": .number(5)])
    }

    @Test("the key of another definition belongs to that one")
    func others() {
        let definitions = [makePropertyDefinition(key: "size"), makePropertyDefinition(key: "Size")]
        var properties: [String: PropertyValue] = ["size": .number(1), "SIZE": .number(2)]
        properties.set(.number(3), of: "Size", among: definitions)
        #expect(properties == ["size": .number(1), "SIZE": .number(3)])
        properties.set(nil, of: "size", among: definitions)
        #expect(properties.isEmpty)
        #expect(definitions.named("SIZE") == nil && definitions.named("Size") == definitions[1])
    }
}
