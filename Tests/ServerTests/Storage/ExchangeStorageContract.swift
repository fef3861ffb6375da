import Foundation
import Testing
import TrendyDomain
import TrendyServer

/// What any ``ServerStore`` has to do for histories, tombstones, keys and revisions.
func checkHistories(_ store: any ServerStore) throws {
    let history = AccountHistory(epoch: "e", head: 7, horizon: 3)
    try store.write { try $0.save(history, userId: "ann") }
    try store.write { transaction throws in
        #expect(try transaction.history(userId: "ann") == history)
        #expect(try transaction.history(userId: "bob") == nil)
        try transaction.save(AccountHistory(epoch: "f", head: 9), userId: "ann")
    }
    #expect(try store.read { try $0.history(userId: "ann") } == AccountHistory(epoch: "f", head: 9, horizon: 0))
}

func checkTombstones(_ store: any ServerStore) throws {
    let (a, b, c) = (RecordKey("thing", "a"), RecordKey("thing", "b"), RecordKey("other", "a"))
    try store.write { transaction throws in
        try transaction.save(
            [Tombstone(key: a, revision: 4, at: moment), Tombstone(key: b, revision: 5, at: moment)], userId: "ann")
        try transaction.save([Tombstone(key: b, revision: 4, at: moment)], userId: "bob")
        #expect(try transaction.tombstones([a, b, c], userId: "ann") == [a: 4, b: 5])
        #expect(try transaction.tombstones([a, b], userId: "bob") == [b: 4])
        try transaction.save([Tombstone(key: a, revision: 6, at: moment)], userId: "ann")
        try transaction.deleteTombstones([b, c], userId: "ann")
        #expect(try transaction.tombstones([a, b], userId: "ann") == [a: 6])
        #expect(try transaction.tombstones([b], userId: "bob") == [b: 4])
        #expect(try transaction.tombstones([], userId: "ann").isEmpty)
    }
}

func checkOutcomes(_ store: any ServerStore) throws {
    let old = KeptOutcome(mutationKey: "k", record: RecordKey("thing", "a"), revision: 4, at: moment)
    let new = KeptOutcome(
        mutationKey: "l", record: RecordKey("thing", "b"), revision: 5, at: moment.advanced(byMilliseconds: 1))
    try store.write { transaction throws in
        try transaction.save([old, new], userId: "ann")
        #expect(try transaction.outcomes(["k", "l", "m"], userId: "ann") == ["k": old, "l": new])
        #expect(try transaction.outcomes(["k"], userId: "bob").isEmpty)
        try transaction.deleteOutcomes(before: new.at)
        #expect(try transaction.outcomes(["k", "l"], userId: "ann") == ["l": new])
    }
}

func checkRevisions(_ store: any ServerStore) throws {
    let (a, b) = (Int64(UnicodeScalar("a").value), Int64(UnicodeScalar("b").value))
    try store.write { transaction throws in
        for id in ["c", "a", "d"] { try transaction.insert(record(id), index: RecordIndex()) }
        try transaction.insert(record("e", "bob"), index: RecordIndex())
        try transaction.save([Tombstone(key: RecordKey("other", "x"), revision: b, at: moment)], userId: "ann")
        let all = try transaction.changes(userId: "ann", after: 0, limit: 10, byteLimit: .max)
        #expect(all.map(\.key.id) == ["a", "x", "c", "d"])
        #expect(all.map(\.document) == [Data("{}".utf8), nil, Data("{}".utf8), Data("{}".utf8)])
        #expect(all.map(\.revision) == [a, b, a + 2, a + 3])
        #expect(
            try transaction.changes(userId: "ann", after: a, limit: 2, byteLimit: .max).map(\.key.id) == ["x", "c"])
        #expect(try transaction.changes(userId: "ann", after: a + 3, limit: 2, byteLimit: .max).isEmpty)
        #expect(
            try transaction.snapshot(of: "thing", userId: "ann", after: nil, limit: 2, byteLimit: .max).map(\.key.id)
                == ["a", "c"])
        #expect(
            try transaction.snapshot(of: "thing", userId: "ann", after: "c", limit: 2, byteLimit: .max).map(\.key.id)
                == ["d"])
        #expect(try transaction.snapshot(of: "other", userId: "ann", after: nil, limit: 2, byteLimit: .max).isEmpty)
        let small = try transaction.changes(userId: "ann", after: 0, limit: 10, byteLimit: 1)
        #expect(small.map(\.key.id) == ["a", "x"])
    }
}
