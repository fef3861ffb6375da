import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyReport

@Suite("How types are shown")
struct TypeFaceTests {
    private let faces = [
        TypeFace(EventType(id: "1", name: "coffee", icon: "☕")),
        TypeFace(EventType(id: "2", name: "travel", icon: "✈️")),
        TypeFace(EventType(id: "3", name: "run", icon: "figure.run")), TypeFace(name: "two\nlines"),
    ]

    @Test("emoji stand in a column of their own before the names, where there is room for them")
    func icons() {
        #expect(TypeFace.labels(faces, on: .test(60)) == ["☕ coffee", "✈️ travel", "   run", "   two lines"])
        let names = ["coffee", "travel", "run", "two lines"]
        #expect(TypeFace.labels(faces, on: .test(59)) == names)
        #expect(TypeFace.labels(faces, on: .test(60, isASCII: true)) == names)
        #expect(TypeFace.labels(Array(faces.suffix(2)), on: .test(60)) == ["run", "two lines"])
    }

    @Test("names of pictures, letters and several emoji are no icons", arguments: ["circle.fill", "A", "1", "", "🏃🏃"])
    func noIcon(icon: String) {
        #expect(TypeFace(name: "run", icon: icon).icon == nil)
    }
}
