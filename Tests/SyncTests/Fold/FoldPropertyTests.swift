import Testing
import TrendyDomain

@testable import TrendySync

private let seeds: Range<UInt64> = 0..<3000

@Suite("Fold of a record, with random operations")
struct FoldPropertyTests {
    @Test("coalescing changes nothing of what is visible, and nothing of what was sent")
    func coalescing() {
        for seed in seeds {
            var random = RandomRecords(seed: seed)
            var record = OpenRecord(shape: RandomRecords.shape, base: random.base(revision: 5))
            var all: [OpenOperation] = []
            for _ in 0..<8 {
                if random.chance(30), let next = record.operations.firstIndex(where: { !$0.isInFlight }) {
                    record.operations[next].isInFlight = true
                }
                let sent = record.operations.filter(\.isInFlight)
                let operation = random.operation(of: record.visible)
                all.append(operation)
                _ = record.append(operation, after: Int64(random.below(4)))
                let expected = record.base.fold(all, record.shape).document
                #expect(record.visible.document?.content == expected?.content, "seed \(seed)")
                #expect(record.operations.filter(\.isInFlight) == sent, "seed \(seed)")
                let places = record.operations.map(\.position)
                #expect(places == places.sorted(), "seed \(seed)")
            }
        }
    }

    @Test("what is dropped leaves the fold of what is left, and nothing else of it is gone")
    func drop() {
        for seed in seeds {
            var random = RandomRecords(seed: seed)
            let record = random.openRecord(length: 8)
            for dropped in record.operations {
                var left = record
                let gone = left.drop(dropped.key)
                if dropped.isInFlight {
                    #expect(gone.isEmpty && left == record, "seed \(seed)")
                    continue
                }
                let others = record.operations.filter { $0.key != dropped.key }
                let (now, expected) = (left.visible.document, record.base.fold(others, record.shape).document)
                // A record that is not made anew after all keeps what the new one lacks.
                let isSame =
                    dropped.change == .delete
                    ? now.map(known)?.isHolding(expected.map(known)) ?? (expected == nil) : now == expected
                #expect(isSame, "seed \(seed), \(dropped.key)")
                #expect(Set(gone.map(\.key)).union(left.operations.map(\.key)) == Set(record.operations.map(\.key)))
                let orphans = gone.dropFirst()
                #expect(orphans.isEmpty || dropped.change.isCreate && !orphans.contains { !$0.change.isUpdate })
            }
        }
    }

    @Test("a deletion that is taken back leaves a record that is there, and no create of it")
    func undelete() {
        for seed in seeds {
            var random = RandomRecords(seed: seed)
            let record = random.openRecord(length: 8)
            for index in record.operations.indices where record.operations[index].change == .delete {
                var left = record
                left.undelete(through: index)
                let rest = record.operations[(index + 1)...]
                #expect(left.operations.map(\.key) == rest.map(\.key), "seed \(seed)")
                guard record.base.document != nil else {
                    #expect(left.operations == Array(rest), "seed \(seed)")
                    continue
                }
                #expect(left.operations.first?.change.isCreate != true, "seed \(seed)")
                let (now, said) = (left.visible.document, record.base.fold(rest, record.shape).document)
                #expect(now.map(known)?.isHolding(said.map(known)) ?? (said == nil), "seed \(seed)")
            }
        }
    }

    private func known(_ document: RecordDocument) -> RecordDocument {
        document.content.filter { RandomRecords.shape.fields.contains($0.key) }
    }

    @Test("a patch leads from the one version to the other, also by way of its JSON, and keeps unknown fields")
    func patches() {
        for seed in seeds {
            let random = RandomRecords(seed: seed)
            let (old, new) = (random.document(foreign: true), random.document())
            let patch = FieldPatch(from: old, to: new, shape: RandomRecords.shape)
            #expect(FieldPatch(json: patch.json, shape: RandomRecords.shape) == patch, "seed \(seed)")
            let edited = patch.applied(to: old)
            #expect(known(edited) == known(new) && edited["x_future"] == old["x_future"], "seed \(seed)")
            let (later, both) = (random.patch(), random.patch())
            let inTurn = both.applied(to: later.applied(to: old))
            #expect(later.merging(both).applied(to: old).content == inTurn.content, "seed \(seed)")
        }
    }
}

extension RecordDocument {
    /// Whether all values of another document are here too.
    fileprivate func isHolding(_ other: RecordDocument?) -> Bool {
        guard let other else { return false }
        let shape = RandomRecords.shape
        return shape.paths(of: other).allSatisfy { self[$0] == other[$0] }
    }
}
