import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// Draws children of two kinds and two places, with operations of their own and deletions of these.
private struct RandomChild {
    static let shape = RecordShape(fields: ["id", "kind", "place", "notes"])
    static let kind = ParentReference(field: "kind", entityType: "kind", onDelete: .cascade)
    static let place = ParentReference(field: "place", entityType: "place", onDelete: .clear)

    let source: SeededRandomSource

    func below(_ limit: Int) -> Int { Int(source.next() % UInt64(limit)) }

    private func document() -> RecordDocument {
        var document: RecordDocument = ["id": "c", "kind": .string("k\(below(2))"), "notes": .integer(Int64(below(3)))]
        if below(4) > 0 { document["place"] = .string("p\(below(2))") }
        return document
    }

    private func patch() -> FieldPatch {
        switch below(4) {
        case 0: FieldPatch([FieldPath("kind"): .string("k\(below(2))")])
        case 1: FieldPatch([FieldPath("place"): below(2) == 0 ? .null : .string("p\(below(2))")])
        default: FieldPatch([FieldPath("notes"): .integer(Int64(below(3)))])
        }
    }

    /// A record with a base of revision 5, and up to eight operations and deletions in the order of the outbox.
    func record() -> OpenRecord {
        let bases: [Base] = [
            .nothing, .tombstone(revision: 5), .document(document(), revision: 5), .document(document(), revision: 5),
        ]
        var record = OpenRecord(shape: Self.shape, base: bases[below(bases.count)])
        for position in 1...Int64(1 + below(8)) {
            guard below(3) > 0 else {
                let isKind = below(2) == 0
                record.parentDeletions.append(
                    ParentDeletion(
                        reference: isKind ? Self.kind : Self.place, parent: "\(isKind ? "k" : "p")\(below(2))",
                        position: position))
                continue
            }
            let isThere = record.visible.document != nil
            let change: OpenOperation.Change =
                isThere ? (below(4) == 0 ? .delete : .update(patch())) : .create(document())
            record.operations.append(OpenOperation(change, key: "o\(position)", position: position))
        }
        return record
    }
}

@Suite("Deletions of parents in the fold")
struct ParentDeletionTests {
    private let seeds: Range<UInt64> = 0..<20_000

    @Test("count at their places: later operations do not feel them, and without them all is as before")
    func places() {
        for seed in seeds {
            let record = RandomChild(source: SeededRandomSource(seed: seed)).record()
            for deletion in record.parentDeletions {
                var without = record
                without.parentDeletions.removeAll { $0 == deletion }
                if !record.isHit(by: deletion) { #expect(without.visible == record.visible, "seed \(seed)") }
                let seen = record.visible(before: deletion.position + 1).document
                #expect(seen?[deletion.reference.field] != .string(deletion.parent), "seed \(seed)")
            }
            var alone = record
            alone.parentDeletions = []
            #expect(alone.visible == record.alone, "seed \(seed)")
        }
    }

    @Test("are carried out without a change of what readers see, once, and on nothing that is newer")
    func carriedOut() {
        var (gone, cleared) = (0, 0)
        for seed in seeds {
            let record = RandomChild(source: SeededRandomSource(seed: seed)).record()
            guard let deletion = record.parentDeletions.first else { continue }
            let seen = record.visible.document
            var after = record
            after.parentDeletions.removeFirst()
            var newer = after
            _ = newer.carryOut(deletion, at: 5)
            #expect(newer.base == record.base, "seed \(seed)")
            if deletion.reference.onDelete == .cascade, case .document = record.base {
                #expect(newer.operations == record.operations, "seed \(seed)")
            }
            let isGone = after.carryOut(deletion, at: 6)
            // A record that an open edit has moved beneath the parent is not gone there.
            let origin = record.operations.first?.change.isCreate == true ? nil : record.base.document
            let isMovedHere = deletion.reference.onDelete == .cascade && record.isHit(by: deletion) && !isGone
            #expect(!isMovedHere || !deletion.concerns(origin), "seed \(seed)")
            if isMovedHere { continue }
            #expect(after.visible.document == seen, "seed \(seed)")
            #expect(after.base.revision == record.base.revision, "seed \(seed)")
            let once = after
            let isGoneAgain = after.carryOut(deletion, at: 6)
            #expect(!isGoneAgain && after == once, "seed \(seed)")
            gone += isGone ? 1 : 0
            cleared += deletion.reference.onDelete == .clear && after != record ? 1 : 0
        }
        #expect(gone > 500 && cleared > 500)
    }

    @Test("leave what may have arrived as it is")
    func inFlight() {
        let made: RecordDocument = ["id": "c", "kind": "k0", "place": "p0"]
        let create = OpenOperation(.create(made), key: "o1", position: 1, isInFlight: true)
        var record = OpenRecord(shape: RandomChild.shape, base: .nothing, operations: [create])
        let isGone = record.carryOut(ParentDeletion(reference: RandomChild.place, parent: "p0", position: 3), at: 6)
        #expect(!isGone && record.operations == [create])
    }

    @Test("end what was made before, and neither a deletion of the record's own nor what was made later")
    func ended() {
        let kind: RecordDocument = ["id": "c", "kind": "k0"]
        let changes: [OpenOperation.Change] = [
            .update(FieldPatch([FieldPath("notes"): 1])), .delete, .create(kind), .update(FieldPatch()), .delete,
            .create(kind), .update(FieldPatch()),
        ]
        let places: [Int64] = [1, 2, 3, 4, 6, 7, 8]
        var record = OpenRecord(
            shape: RandomChild.shape, base: .document(kind, revision: 5),
            operations: zip(changes, places).map { OpenOperation($0, key: "o\($1)", position: $1) })
        let isGone = record.carryOut(
            ParentDeletion(reference: RandomChild.kind, parent: "k0", position: 5), at: 6)
        #expect(isGone)
        #expect(record.operations.map(\.position) == [2, 6, 7, 8] && record.base == .document(kind, revision: 5))
    }

    @Test("leave what was edited after them, unless only a parent that is there again gave its reference back")
    func editedAfter() {
        let kind: RecordDocument = ["id": "c", "kind": "k0"]
        var shape = RandomChild.shape
        shape.clearable = ["place"]
        for (patch, isGone) in [
            (FieldPatch([FieldPath("notes"): 1]), false), (FieldPatch([FieldPath("place"): "p"]), true),
        ] {
            var record = OpenRecord(
                shape: shape, base: .document(kind, revision: 5),
                operations: [OpenOperation(.update(patch), key: "o", position: 6)])
            let deletion = ParentDeletion(reference: RandomChild.kind, parent: "k0", position: 5)
            #expect(record.carryOut(deletion, at: 6) == isGone)
            #expect(record.operations.isEmpty == isGone)
        }
    }
}
