import Testing
import TrendyDomain

@testable import TrendySync

@Suite("Open operations of a record")
struct OpenRecordTests {
    let shape = RandomRecords.shape
    let first: RecordDocument = ["id": "r", "name": "first", "x_future": 1, "properties": ["a": 1]]

    private func update(_ json: RecordDocument) -> OpenOperation.Change {
        .update(FieldPatch(json: json, shape: shape))
    }

    private func record(_ base: Base, _ changes: OpenOperation.Change..., sent: Int = 0) -> OpenRecord {
        let operations = changes.enumerated().map { place, change in
            OpenOperation(change, key: "k\(place + 1)", position: Int64(place + 1), isInFlight: place < sent)
        }
        return OpenRecord(shape: shape, base: base, operations: operations)
    }

    private func append(_ change: OpenOperation.Change, to record: inout OpenRecord) -> OpenRecord.Appended {
        record.append(OpenOperation(change, key: "new", position: 9))
    }

    @Test("an event's properties are a map, and no other kind has one")
    func maps() {
        #expect(RecordShape(Event.self).maps == ["properties"])
        #expect(RecordShape(EventType.self).maps.isEmpty)
    }

    @Test("neighbours that have not been sent become one")
    func coalescing() {
        var made = record(.nothing, .create(first))
        #expect(append(update(["name": nil, "properties": ["b": 2]]), to: &made) == .merged(into: "k1"))
        #expect(
            made.operations.map(\.change) == [.create(["id": "r", "x_future": 1, "properties": ["a": 1, "b": 2]])])
        #expect(append(.delete, to: &made) == .cancelled(["k1"]))
        #expect(made.operations.isEmpty && made.visible == .absent)

        var edited = record(.document(first, revision: 3), update(["name": "x", "properties": ["a": nil]]))
        #expect(append(update(["properties": ["b": 2]]), to: &edited) == .merged(into: "k1"))
        #expect(edited.operations.map(\.change) == [update(["name": "x", "properties": ["a": nil, "b": 2]])])
        #expect(append(.delete, to: &edited) == .replaced(["k1"]))
        #expect(edited.operations == [OpenOperation(.delete, key: "new", position: 9)])
        #expect(append(.create(["id": "r"]), to: &edited) == .added)
        #expect(edited.operations.count == 2)
    }

    @Test("what was sent stays as it is, and what comes after it is an operation of its own")
    func sent() {
        var made = record(.nothing, .create(first), sent: 1)
        let before = made.operations
        #expect(append(update(["name": "x"]), to: &made) == .added)
        #expect(append(.delete, to: &made) == .replaced(["new"]))
        #expect(made.operations == before + [OpenOperation(.delete, key: "new", position: 9)])
        #expect(made.drop("k1").isEmpty && !made.replace("k1", with: .delete))
    }

    @Test("an update that refers to a record made later is not sent before that one")
    func parentMadeLater() {
        var made = record(.nothing, .create(first))
        let move = OpenOperation(update(["name": "parent"]), key: "move", position: 3)
        #expect(made.append(move, after: 2) == .added)
        #expect(made.operations.map(\.position) == [1, 3])
    }

    @Test("updates of what a dropped create made go with it")
    func dropCreate() {
        var made = record(.nothing, .create(first), update(["name": "x"]))
        #expect(made.drop("k1").map(\.key) == ["k1", "k2"])
        #expect(made.visible == .absent && made.operations.isEmpty)
    }

    @Test("a create anew after a dropped deletion becomes an edit that clears nothing")
    func dropDeletion() {
        var made = record(.document(first, revision: 3), .delete, .create(["id": "r", "name": "anew"]))
        #expect(made.drop("k1").map(\.key) == ["k1"])
        #expect(made.operations.map(\.change) == [update(["name": "anew"])])
        #expect(made.visible.document?["x_future"] == 1)
    }

    @Test("and what was cleared after the create stays cleared")
    func dropDeletionAfterClearing() {
        var made = record(.document(first, revision: 3), .delete, .create(first))
        #expect(append(update(["name": nil]), to: &made) == .added)
        #expect(made.drop("k1").map(\.key) == ["k1"])
        #expect(made.visible.document?["name"] == nil && made.visible.document?["x_future"] == 1)
    }

    @Test("another change in the place of one gives the fold with that")
    func replace() {
        var edited = record(.document(first, revision: 3), update(["name": "x"]), update(["notes": "n"]), sent: 1)
        let replaced = edited.replace("k2", with: update(["notes": "m"]))
        #expect(replaced && edited.visible.document?["notes"] == "m" && edited.visible.document?["name"] == "x")
    }

    @Test("a map that is cleared as a whole loses the keys that were seen, and none that others add")
    func clearedMap() {
        let edit = FieldPatch(json: ["properties": nil], to: first, shape: shape)
        #expect(edit == FieldPatch(json: ["properties": ["a": nil]], shape: shape))
        let theirs = first.merging(["properties": ["a": 1, "b": 2]]) { $1 }
        let result = record(.document(first, revision: 3), .update(edit)).merging(.document(theirs, revision: 4))
        #expect(result.record.visible.document?["properties"] == ["b": 2] && result.conflicts.isEmpty)
    }

    @Test("an edit of what was deleted elsewhere is parked, shown and listed, and merges where the record comes back")
    func deletedElsewhere() {
        let edited = record(.document(first, revision: 3), update(["name": "x"]))
        let ours = first.merging(["name": "x"]) { $1 }
        var result = edited.merging(.tombstone(revision: 4))
        #expect(result.record.operations.map(\.isParked) == [true] && result.record.visible == .document(ours))
        #expect(result.conflicts == [.deletedElsewhere(ours: ours)] && result.answered.isEmpty)
        #expect(result.conflicts.first?.restored() == .create(ours))
        let back = first.merging(["notes": "back"]) { $1 }
        result = result.record.merging(.document(back, revision: 5))
        #expect(result.record.operations.map(\.isParked) == [false] && result.conflicts.isEmpty)
        #expect(result.record.visible == .document(ours.merging(back) { our, _ in our }))
    }

    @Test("a new record whose id was deleted elsewhere is parked; one made anew after its tombstone is not")
    func createOfADeletedId() {
        let theirs = Base.tombstone(revision: 7)
        #expect(record(.nothing, .create(first)).merging(theirs).record.operations.map(\.isParked) == [true])
        let anew = record(.document(first, revision: 3), .delete, .create(first)).merging(theirs)
        #expect(anew.record.operations.map(\.key) == ["k2"] && anew.record.operations.map(\.isParked) == [false])
        #expect(anew.answered.map(\.key) == ["k1"] && anew.record.base == theirs && anew.conflicts.isEmpty)
        let again = anew.record.merging(.tombstone(revision: 8))
        #expect(again.record.operations.map(\.isParked) == [false] && again.conflicts.isEmpty)
    }

    @Test("a create under way that can arrive still keeps the deletion after it")
    func deletionAfterALateCreate() {
        let tombstone = Base.tombstone(revision: 7)
        let anew = record(.document(first, revision: 3), .delete, .create(first), .delete, sent: 2)
        let result = anew.merging(tombstone)
        #expect(result.answered.map(\.key) == ["k1"] && result.record.operations.map(\.key) == ["k2", "k3"])
        #expect(result.record.merging(tombstone) == MergeResult(record: result.record))
        #expect(result.record.merging(.tombstone(revision: 8)).record.operations.isEmpty)
    }

    @Test("a deletion stands over an edit from elsewhere, which is listed; a touch that changes nothing is not")
    func deletedHere() {
        let deleted = record(.document(first, revision: 3), .delete)
        let touched = first.merging(["updated_at": "later"]) { $1 }
        #expect(deleted.merging(.document(touched, revision: 4)).conflicts.isEmpty)
        let theirs = first.merging(["x_future": 2]) { $1 }
        let result = deleted.merging(.document(theirs, revision: 4))
        #expect(result.conflicts == [.editedElsewhere(theirs: theirs)] && result.record.visible == .deleted)
        #expect(result.record.base.revision == 4 && result.record.operations == deleted.operations)
        #expect(result.conflicts.first?.restored() == .create(theirs))
    }

    @Test("the same id made on both sides keeps what one side has, and lists theirs where both have something else")
    func madeOnBothSides() {
        let made = record(
            .nothing, .create(["id": "r", "name": "ours", "notes": "n", "properties": ["a": 1, "b": 2]]))
        let theirs: RecordDocument = ["id": "r", "name": "theirs", "x_future": 1, "properties": ["a": 1, "c": 3]]
        let result = made.merging(.document(theirs, revision: 4))
        #expect(
            result.record.operations.map(\.change) == [update(["name": "ours", "notes": "n", "properties": ["b": 2]])])
        #expect(result.conflicts == [.value(FieldPath("name"), ours: "ours", theirs: "theirs", base: nil)])
        #expect(result.record.visible.document?["x_future"] == 1)
        #expect(made.merging(.document(made.visible.document ?? [:], revision: 4)).answered.map(\.key) == ["k1"])
    }

    @Test("a value that an earlier edit from here set is no one else's")
    func ownEarlierValue() {
        let edited = record(.document(first, revision: 3), update(["name": "x"]), update(["name": "y"]), sent: 1)
        let theirs = first.merging(["name": "x"]) { $1 }
        let result = edited.merging(.document(theirs, revision: 4))
        #expect(result.answered.map(\.key) == ["k1"] && result.record.operations.map(\.key) == ["k2"])
        #expect(result.conflicts.isEmpty)
    }

    @Test("the version that is the base already answers nothing: what is under way can arrive still")
    func sameVersion() {
        let back = record(.document(first, revision: 3), update(["name": "x"]), update(["name": "first"]), sent: 1)
        #expect(back.merging(back.base) == MergeResult(record: back))
        #expect(back.merging(.document(first, revision: 4)).record.operations.isEmpty)
    }

    @Test("what may have arrived stays whole, with what is behind it in its places, until the server has refused it")
    func whole() {
        let both = update(["name": "x", "notes": "ours"])
        let edited = record(.document(first, revision: 3), both, update(["notes": "later"]), sent: 1)
        let theirs = Base.document(first.merging(["name": "x", "notes": "theirs"]) { $1 }, revision: 4)
        let merged = edited.merging(theirs)
        #expect(merged.record.operations.map(\.change) == [both, update(["notes": "later"])])
        #expect(merged.conflicts == [.value(FieldPath("notes"), ours: "later", theirs: "theirs", base: nil)])
        let refused = edited.merging(theirs, refusing: "k1")
        #expect(
            refused.record.operations.map(\.change) == [update(["notes": "ours"]), update(["notes": "later"])])
        let same = edited.merging(.document(first.merging(["notes": "later"]) { $1 }, revision: 4))
        #expect(same.record.operations == edited.operations && same.conflicts.isEmpty)
        #expect(same.record.visible.document?["notes"] == "later")
    }

    @Test("a create that may have arrived stands beside a version without a word, until the server answers it")
    func wholeCreate() {
        let made = record(.nothing, .create(["id": "r", "name": "x"]), update(["notes": "later"]), sent: 1)
        let theirs = Base.document(first.merging(["name": "y", "notes": "theirs"]) { $1 }, revision: 4)
        let merged = made.merging(theirs)
        #expect(merged.record.operations == made.operations && merged.conflicts.isEmpty)
        #expect(merged.record.visible.document == first.merging(["name": "x", "notes": "later"]) { $1 })
        let notes = MergeConflict.value(FieldPath("notes"), ours: "later", theirs: "theirs", base: nil)
        let refused = merged.record.merging(theirs, refusing: "k1")
        #expect(refused.record.operations.map(\.change) == [update(["name": "x"]), update(["notes": "later"])])
        #expect(refused.conflicts == [.value(FieldPath("name"), ours: "x", theirs: "y", base: nil), notes])
        var accepted = merged.record
        #expect(accepted.accept("k1", revision: 3) == [notes])
        #expect(accepted.base == theirs && accepted.operations == Array(made.operations[1...]))
    }

    @Test("an answer to an earlier attempt takes the operation away, and leaves a newer base")
    func lateAnswer() {
        var edited = record(.document(first, revision: 9), update(["name": "x"]), sent: 1)
        #expect(edited.accept("k1", revision: 4).isEmpty)
        #expect(edited == record(.document(first, revision: 9)))
    }
}
