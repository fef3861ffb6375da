import Testing
import TrendyDomain

@testable import TrendyApp

@Suite("Text of an entry in the undo journal")
struct UndoEntryTextTests {
    private let id = "01a0aeca-0fa8-7e4c-b33d-15c4228cd579"

    @Test("records that were made are a kind and ids, and come back as they were")
    func made() throws {
        let steps = [UndoStep(.create, .event, id), UndoStep(.create, .event, "01a0aeca-fa08-7cfc-a825-4ee350af8ec2")]
        let text = try UndoEntryText.text(steps[...])
        #expect(text.hasPrefix("made event ") && text.utf8.count < 60)
        #expect(try UndoEntryText.steps(text) == steps)
    }

    @Test("anything else comes back as it was")
    func others() throws {
        let lists: [[UndoStep]] = [
            [], [UndoStep(.create, .event, "e1")], [UndoStep(.create, .event, id), UndoStep(.create, .eventType, id)],
            [UndoStep(.create, .event, id), UndoStep(.delete, .event, id, before: ["id": .string(id)])],
            [UndoStep(.create, .event, id, after: ["notes": "n"])],
        ]
        for steps in lists { #expect(try UndoEntryText.steps(UndoEntryText.text(steps[...])) == steps) }
    }
}
