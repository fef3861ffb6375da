import Testing
import TrendyTerminal

@testable import TrendyApp

@Suite("Colours as people write them")
struct ColorTextTests {
    @Test("colours come in the forms that people use")
    func colors() throws {
        #expect(try ColorText.parse("#3b82f6") == "#3B82F6")
        #expect(try ColorText.parse("abc") == "#AABBCC")
        #expect(try ColorText.parse("Green") == "#22C55E")
        for wrong in ["", "#12", "#12345g", "greenish", "#１２３４５６"] {
            #expect(throws: CommandFailure.self) { try ColorText.parse(wrong) }
        }
    }
}
