import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("patches")
struct PatchTests {
    @Test("a patch from one version to another leads there, whatever changed or was cleared")
    func leads() throws {
        let values = RandomValues(seed: 3)
        for _ in 0..<1_000 {
            let (old, new) = (values.event(), values.event())
            let patch = try Patch(from: old, to: new)
            #expect(try patch.applied(to: old) == new)
            let decoded = try WireCoding.decode(Patch<Event>.self, from: WireCoding.encode(patch))
            #expect(try decoded.applied(to: old) == new)
            #expect(patch.isEmpty == (old == new))
            let (before, after) = (values.definition(), values.definition())
            #expect(try Patch(from: before, to: after).applied(to: before) == after)
        }
    }

    @Test("one patch after another is the two merged, the later winning")
    func merging() throws {
        let values = RandomValues(seed: 4)
        for _ in 0..<500 {
            let (a, b, c) = (values.event(), values.event(), values.event())
            let merged = try Patch(from: a, to: b).merging(Patch(from: b, to: c))
            #expect(try merged.applied(to: a) == c)
        }
    }

    @Test("clearing is null on the wire, and nothing is there for what did not change")
    func clearing() throws {
        let old = makeEvent(notes: "a", locationName: "b")
        var new = old
        new.notes = nil
        let patch = try Patch(from: old, to: new)
        #expect(patch.changes == ["notes": nil])
        #expect(String(decoding: try WireCoding.encode(patch), as: UTF8.self) == #"{"notes":null}"#)
        #expect(try patch.values(in: old) == ["notes": "a"])
        #expect(try Patch<Event>(changes: ["geofence_id": nil]).values(in: old) == ["geofence_id": nil])
    }

    @Test("the id is never changed")
    func id() throws {
        let (a, b) = (makeEventType(id: testId(1), name: "x"), makeEventType(id: testId(2), name: "x"))
        #expect(try Patch(from: a, to: b).isEmpty)
        #expect(try Patch<EventType>(changes: ["id": "z"]).applied(to: a) == a)
    }

    @Test("a patch that does not fit is refused, and clearing what cannot be empty too")
    func misfits() {
        let event = makeEvent()
        for changes in [["timestamp": 5], ["timestamp": nil], ["event_type_id": nil], ["is_all_day": "yes"]]
            as [[String: JSONValue]]
        {
            #expect(throws: DecodingError.self) { try Patch<Event>(changes: changes).applied(to: event) }
        }
    }
}
