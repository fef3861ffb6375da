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
        stacks.redo = [UndoStacks.Change(9...12)]
        #expect(UndoStacks(stacks.text) == stacks)
        #expect(stacks.undo.map(\.ranges) == [[0...0], [1...1], [2...2], [3...4]])
        for text in ["", "1", "x;;;", "3;1-;;", "3;2-1;;", "1;a-b;;", "9;0-1+;;"] {
            #expect(UndoStacks(text) == nil, "\(text)")
        }
    }

    @Test("a change that others came in between is one, and the newest; a deed is one only in a row")
    func split() throws {
        var stacks = UndoStacks()
        _ = stacks.add(group: "import")
        _ = stacks.add(group: nil)
        stacks = try #require(UndoStacks(stacks.text))
        _ = stacks.add(group: "import")
        _ = stacks.add(group: "import")
        #expect(stacks.undo.map(\.ranges) == [[1...1], [0...0, 2...3]])
        #expect(UndoStacks(stacks.text) == stacks && stacks.undo.last?.entries == [0, 2, 3])
        _ = stacks.add(group: "queue drop", spansOthers: false)
        _ = stacks.add(group: "queue drop", spansOthers: false)
        _ = stacks.add(group: nil)
        _ = stacks.add(group: "queue drop", spansOthers: false)
        #expect(stacks.undo.map(\.ranges).suffix(3) == [[4...5], [6...6], [7...7]])
    }

    @Test("the text of an earlier version is read, and its open change grows no more")
    func earlier() throws {
        var stacks = try #require(UndoStacks("3;0-0,1-2;;import"))
        #expect(stacks.undo.map(\.ranges) == [[0...0], [1...2]])
        _ = stacks.add(group: "import")
        #expect(stacks.undo.count == 3)
    }

    @Test("a new change ends what could be done again, and the oldest changes go beyond the limit")
    func limits() {
        var stacks = UndoStacks()
        stacks.redo = [UndoStacks.Change(100...102)]
        stacks.next = 200
        #expect(stacks.add(group: nil).outdated == [100, 101, 102])
        for _ in 1..<UndoStacks.limit { #expect(stacks.add(group: nil).outdated.isEmpty) }
        #expect(stacks.add(group: nil).outdated == [200])
        #expect(stacks.undo.count == UndoStacks.limit)
    }
}
