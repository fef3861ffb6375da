import Testing
import TrendyTerminal

@testable import TrendyReport

@Suite("HTML that is made of elements and texts")
struct HTMLNodeTests {
    @Test("text is text, whatever it looks like")
    func text() {
        let node = HTMLNode.element(.p, [:], "<script>alert(1)</script> \"&' ☕ 咖啡")
        #expect(node.markup == "<p>&lt;script&gt;alert(1)&lt;/script&gt; &quot;&amp;&#39; ☕ 咖啡</p>")
        #expect(HTMLNode.text("&lt;").markup == "&amp;lt;")
    }

    @Test("the value of an attribute does not end it")
    func attribute() {
        let node = HTMLNode.element(.a, [.href: "\" onclick=\"alert(1)", .class: nil], "x")
        #expect(node.markup == "<a href=\"&quot; onclick=&quot;alert(1)\">x</a>")
    }

    @Test(
        "what no document may have is shown as missing", arguments: ["\0", "\u{1B}", "\u{85}", "\u{FFFE}", "\u{1FFFF}"])
    func controls(text: String) {
        #expect(HTMLNode.text("a\(text)b").markup == "a\u{FFFD}b")
    }

    @Test("elements without content have no end")
    func void() {
        #expect(HTMLNode.element(.meta, [.charset: "utf-8"]).markup == "<meta charset=\"utf-8\">")
    }

    @Test(
        "every colour is told from light and from dark paper",
        arguments: [
            "#FFFFFF", "#000000", "#FFFF00", "#3B82F6", "#6F4E37", "#EAB308", "#14161A", "#FCFCFA", "#0000FF",
        ])
    func contrast(hex: String) throws {
        let color = ThemeColor(try #require(RGBColor(hex: hex)))
        #expect(color.onLight.contrast(with: try #require(RGBColor(hex: "#FCFCFA"))) >= 3)
        #expect(color.onDark.contrast(with: try #require(RGBColor(hex: "#14161A"))) >= 4.5)
    }

    @Test("a colour that is seen on both papers stays as it is")
    func unchanged() throws {
        let color = try #require(RGBColor(hex: "#3b82f6"))
        #expect(ThemeColor(color).onLight == color && ThemeColor(color).onDark == color)
        #expect(color.hex == "#3b82f6" && RGBColor(red: 0, green: 9, blue: 16).hex == "#000910")
    }

    @Test("black and white differ most, and a colour not from itself")
    func contrastScale() {
        let (black, white) = (RGBColor(red: 0, green: 0, blue: 0), RGBColor(red: 255, green: 255, blue: 255))
        #expect(black.contrast(with: white) == 21 && white.contrast(with: white) == 1)
    }
}
