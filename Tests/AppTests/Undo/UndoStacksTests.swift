import Testing

@testable import TrendyApp

@Suite("What can be taken back, as a text")
struct UndoStacksTests {
    @Test("is read as it was written, and anything else is refused")
    func text() throws {
        var stacks = UndoStacks()
        for _ in 0..<3 { _ = stacks.add(group: nil) }
        _ = stacks.add(group: "import")
        _ = stacks.add(group: "import")
        stacks.redo = [9...12]
        #expect(UndoStacks(stacks.text) == stacks)
        #expect(stacks.undo == [0...0, 1...1, 2...2, 3...4])
        for text in ["", "1", "x;;;", "3;1-;;", "3;2-1;;", "1;a-b;;"] { #expect(UndoStacks(text) == nil, "\(text)") }
    }

    @Test("a new change ends what could be done again, and the oldest changes go beyond the limit")
    func limits() {
        var stacks = UndoStacks()
        stacks.redo = [100...102]
        stacks.next = 200
        #expect(stacks.add(group: nil).outdated == [100, 101, 102])
        for _ in 1..<UndoStacks.limit { #expect(stacks.add(group: nil).outdated.isEmpty) }
        #expect(stacks.add(group: nil).outdated == [200])
        #expect(stacks.undo.count == UndoStacks.limit)
    }
}
