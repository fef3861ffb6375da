import Testing
import TrendyDomain

@testable import TrendySync

private let seeds: Range<UInt64> = 0..<3000

@Suite("Merge of a record, with random operations")
struct MergePropertyTests {
    @Test("of the same version again changes nothing and lists nothing")
    func idempotent() {
        for seed in seeds {
            var random = RandomRecords(seed: seed)
            let record = random.openRecord(length: 6)
            let theirs = random.base(revision: 9)
            let once = record.merging(theirs)
            let twice = once.record.merging(theirs)
            #expect(twice == MergeResult(record: once.record), "seed \(seed)")
        }
    }

    @Test("keeps what was done here, takes the rest, and after sending device and server are equal")
    func mergeAndSend() throws {
        for seed in seeds {
            var random = RandomRecords(seed: seed)
            let record = random.openRecord(length: 6)
            var server = SmallServer(base: random.base(revision: 9), head: 9)
            let result = record.merging(server.base)
            var merged = result.record
            if merged.operations.contains(where: \.isParked) {
                #expect(server.base.document == nil, "seed \(seed)")
                #expect(
                    result.conflicts == record.visible.document.map { [.deletedElsewhere(ours: $0)] }, "seed \(seed)")
                #expect(merged.visible.document == record.visible.document, "seed \(seed)")
                continue
            }
            let (theirs, visible) = (server.base, merged.visible.document?.content)
            // The answer to a create that may have arrived decides what stands.
            let isJudged = merged.operations.first.map { !($0.change.isCreate && $0.isInFlight) } ?? true
            let later = merged.sendAll(to: &server)
            #expect(merged.operations.isEmpty && merged.base == server.base, "seed \(seed)")
            #expect(!isJudged || server.base.document?.content == visible && later.isEmpty, "seed \(seed)")
            if theirs.document != nil, !record.operations.contains(where: { $0.change == .delete }) {
                expectOursOrTheirs(
                    record, theirs, MergeResult(record: merged, conflicts: result.conflicts + later), "seed \(seed)")
            }
        }
    }

    /// Each value is ours where we changed it, else theirs; and theirs is listed exactly where it is lost.
    private func expectOursOrTheirs(_ record: OpenRecord, _ theirs: Base, _ result: MergeResult, _ comment: Comment) {
        let (now, ours) = (result.record.visible.document ?? [:], record.visible.document ?? [:])
        let (server, former) = (theirs.document ?? [:], record.base.document ?? [:])
        let listed = result.conflicts.reduce(into: [FieldPath: JSONValue]()) { listed, conflict in
            guard case .value(let path, _, let theirs, _) = conflict else { return }
            listed[path] = theirs
        }
        for path in RandomRecords.paths + [FieldPath("x_future")] {
            let isEdited = record.operations.contains { operation in
                switch operation.change {
                case .create(let document): document[path] != .null
                case .update(let patch): patch.values[path] != nil
                case .delete: false
                }
            }
            #expect(now[path] == (isEdited ? ours[path] : server[path]), comment)
            let said = record.operations.contains { operation in
                switch operation.change {
                case .create(let document): document[path] == server[path]
                case .update(let patch): patch.values[path] == server[path]
                case .delete: false
                }
            }
            let isLost = isEdited && !said && server[path] != former[path]
            #expect(listed.keys.contains(path) == isLost && (!isLost || listed[path] == server[path]), comment)
        }
    }

    @Test("finds nothing to send and no conflict in what the server has from here, though it forgot the keys")
    func exactlyOnce() {
        for seed in seeds {
            var random = RandomRecords(seed: seed)
            let record = random.openRecord(length: 6)
            let sent = record.operations.prefix { $0.isInFlight }
            var server = SmallServer(base: record.base, head: 5)
            let arrived = random.below(sent.count + 1)
            for operation in sent.prefix(arrived) {
                let outcome = server.receive(operation, base: server.base.revision)
                #expect(outcome == .accepted(server.head), "seed \(seed)")
            }
            server.keys = [:]
            var merged = record
            var conflicts: [MergeConflict] = []
            if arrived > 0 {
                let result = record.merging(server.base)
                (merged, conflicts) = (result.record, result.conflicts)
            }
            #expect(conflicts.isEmpty, "seed \(seed)")
            // Two deletions leave the same tombstone: what is between them is sent again where it may be on its way.
            let isTold = server.base.document != nil || record.operations.count { $0.change == .delete } < 2
            if isTold, arrived == record.operations.count { #expect(merged.operations.isEmpty, "seed \(seed)") }
            #expect(merged.visible.document?.content == record.visible.document?.content, "seed \(seed)")
            #expect(merged.sendAll(to: &server).isEmpty, "seed \(seed)")
            #expect(server.base.document?.content == record.visible.document?.content, "seed \(seed)")
        }
    }

    @Test("lists what gives a value back, in exactly its place")
    func restore() {
        for seed in seeds {
            var random = RandomRecords(seed: seed)
            let result = random.openRecord(length: 6).merging(random.base(revision: 9))
            for conflict in result.conflicts {
                var restored = result.record
                let change = conflict.restored()
                guard case .value(let path, let ours, let theirs, _) = conflict else { continue }
                let before = restored.visible.document ?? [:]
                #expect(before[path] == ours, "seed \(seed)")
                _ = restored.append(OpenOperation(change, key: "restore", position: 100))
                var expected = before
                expected[path] = theirs
                #expect(restored.visible.document?.content == expected.content, "seed \(seed)")
            }
        }
    }
}
