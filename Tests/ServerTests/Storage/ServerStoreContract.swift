import Foundation
import Testing
import TrendyDomain
import TrendyServer

/// What any ``ServerStore`` has to do. Call it from a test with a maker of fresh, empty stores.
func checkServerStoreContract(_ makeStore: () throws -> any ServerStore) throws {
    try checkAtomicity(makeStore())
    try checkRecords(makeStore())
    try checkListing(makeStore())
    try checkReferences(makeStore())
    try checkHistories(makeStore())
    try checkTombstones(makeStore())
    try checkOutcomes(makeStore())
    try checkRevisions(makeStore())
    try checkChangeLog(makeStore())
    try checkReplies(makeStore())
    try checkAccounts(makeStore())
}

private struct Interruption: Error {}

let moment = Timestamp(milliseconds: 1_700_000_000_000)

func record(_ id: String, _ user: String = "ann", _ text: String = "{}") -> StoredRecord {
    let revision = Int64(id.unicodeScalars.first?.value ?? 0)
    return StoredRecord(
        key: RecordKey("thing", id), userId: user, document: Data(text.utf8), createdAt: moment, updatedAt: moment,
        revision: revision, createdRevision: revision)
}

private func change(_ id: String, _ user: String = "ann") -> NewChange {
    NewChange(
        userId: user, key: RecordKey("thing", id), operation: .create, document: Data(#"{"ü":1}"#.utf8), at: moment)
}

private func checkAtomicity(_ store: any ServerStore) throws {
    #expect(throws: Interruption.self) {
        try store.write { transaction throws in
            try transaction.insert(record("a"), index: RecordIndex(naturalKey: "n"))
            try transaction.append(change("a"))
            throw Interruption()
        }
    }
    try store.read { transaction throws in
        #expect(try transaction.record(RecordKey("thing", "a")) == nil)
        #expect(try transaction.latestCursor(userId: "ann") == 0)
    }
    try store.write { try $0.insert(record("a"), index: RecordIndex(naturalKey: "n")) }
    #expect(try store.read { try $0.record(RecordKey("thing", "a")) } == record("a"))
}

private func checkRecords(_ store: any ServerStore) throws {
    let key = RecordKey("thing", "a")
    let index = RecordIndex(order: 3, naturalKey: "name", upsertKey: "sample")
    try store.write { transaction throws in
        try transaction.insert(record("a"), index: index)
        #expect(try transaction.owner(of: key) == "ann")
        #expect(try transaction.owner(of: RecordKey("other", "a")) == nil)
        #expect(try transaction.recordId(of: "thing", naturalKey: "name", userId: "ann") == "a")
        #expect(try transaction.recordId(of: "thing", naturalKey: "Name", userId: "ann") == nil)
        #expect(try transaction.recordId(of: "thing", naturalKey: "name", userId: "bob") == nil)
        #expect(try transaction.recordId(of: "thing", upsertKey: "sample", userId: "ann") == "a")
        #expect(try transaction.recordId(of: "thing", upsertKey: "sample", userId: "bob") == nil)
        try transaction.insert(record("b", "bob"), index: index)
        var later = record("a", "ann", #"{"später":"☕️"}"#)
        later.updatedAt = moment.advanced(byMilliseconds: 5)
        try transaction.update(later, index: RecordIndex(), replacing: index)
        #expect(try transaction.record(key) == later)
        #expect(try transaction.recordId(of: "thing", naturalKey: "name", userId: "ann") == nil)
        #expect(try transaction.recordId(of: "thing", upsertKey: "sample", userId: "ann") == nil)
        #expect(try transaction.counts(userId: "ann") == ["thing": 1])
        try transaction.delete(key, index: RecordIndex())
        #expect(try transaction.record(key) == nil)
        #expect(try transaction.counts(userId: "ann") == [:])
        #expect(try transaction.counts(userId: "bob") == ["thing": 1])
    }
}

private func checkListing(_ store: any ServerStore) throws {
    try store.write { transaction throws in
        for (id, order, isActive) in [("a", Int64(2), true), ("b", 1, false), ("c", 2, true), ("d", 3, true)] {
            try transaction.insert(
                record(id, "ann", "\"\(id)\""), index: RecordIndex(order: order, isActive: isActive))
        }
        try transaction.insert(record("e", "bob", "\"e\""), index: RecordIndex(order: 2))
        func list(_ query: RecordQuery) throws -> String {
            try transaction.page(of: "thing", userId: "ann", query).documents
                .map { String(decoding: $0, as: UTF8.self) }.joined().replacing("\"", with: "")
        }
        #expect(try list(RecordQuery()) == "bacd")
        #expect(try list(RecordQuery(isDescending: true)) == "dcab")
        #expect(try list(RecordQuery(limit: 2, offset: 1, isDescending: true)) == "ca")
        #expect(try list(RecordQuery(limit: 2, offset: 4)) == "")
        #expect(try list(RecordQuery(isActive: true)) == "acd")
        #expect(try list(RecordQuery(isActive: false)) == "b")
        let after = RecordPosition(order: 2, id: "a")
        #expect(try list(RecordQuery(after: after)) == "cd")
        #expect(try list(RecordQuery(limit: 1, offset: 1, after: after)) == "d")
        #expect(try list(RecordQuery(after: after, isDescending: true)) == "b")
        let page = try transaction.page(of: "thing", userId: "ann", RecordQuery(limit: 2))
        #expect(page.end == after)
        #expect(
            try transaction.page(of: "other", userId: "ann", RecordQuery()) == RecordPage(documents: [], end: nil))
    }
}

private func checkReferences(_ store: any ServerStore) throws {
    let parent = RecordIndex.Reference(field: "parent_id", parent: RecordKey("box", "p"))
    let other = RecordIndex.Reference(field: "other_id", parent: RecordKey("box", "p"))
    try store.write { transaction throws in
        try transaction.insert(record("a"), index: RecordIndex(references: [parent, other]))
        try transaction.insert(record("b"), index: RecordIndex(references: [parent]))
        #expect(try transaction.children("thing", of: parent) == ["a", "b"])
        #expect(try transaction.children("thing", of: other) == ["a"])
        #expect(try transaction.children("event", of: parent) == [])
        #expect(try transaction.page(of: "thing", userId: "ann", RecordQuery(parent: parent)).documents.count == 2)
        #expect(try transaction.page(of: "thing", userId: "bob", RecordQuery(parent: parent)).documents.isEmpty)
        try transaction.update(
            record("a"), index: RecordIndex(references: [other]),
            replacing: RecordIndex(references: [parent, other]))
        #expect(try transaction.children("thing", of: parent) == ["b"])
        #expect(try transaction.children("thing", of: other) == ["a"])
        try transaction.delete(RecordKey("thing", "b"), index: RecordIndex(references: [parent]))
        #expect(try transaction.children("thing", of: parent) == [])
    }
}

private func checkChangeLog(_ store: any ServerStore) throws {
    for (id, user) in [("a", "ann"), ("b", "bob"), ("c", "ann"), ("d", "ann")] {
        try store.write { try $0.append(change(id, user)) }
    }
    try store.read { transaction throws in
        let all = try transaction.changes(userId: "ann", since: 0, limit: 10)
        #expect(all.map(\.key.id) == ["a", "c", "d"])
        #expect(all.map(\.id) == all.map(\.id).sorted() && Set(all.map(\.id)).count == 3)
        #expect(all.allSatisfy { $0.id > 0 && $0.at == moment && $0.document == Data(#"{"ü":1}"#.utf8) })
        #expect(try transaction.changes(userId: "ann", since: all[0].id, limit: 1).map(\.key.id) == ["c"])
        #expect(try transaction.changes(userId: "ann", since: all[2].id, limit: 1).isEmpty)
        #expect(try transaction.latestCursor(userId: "ann") == all[2].id)
        #expect(try transaction.latestCursor(userId: "eve") == 0)
    }
}

private func checkReplies(_ store: any ServerStore) throws {
    let key = ReplyKey(userId: "ann", route: "create thing", key: "k")
    var reply = StoredReply(
        entityId: "a", fingerprint: Data([0, 255]), outcome: .created, document: Data("{}".utf8), at: moment)
    try store.write { transaction throws in
        #expect(try transaction.reply(key) == nil)
        try transaction.save(reply, under: key)
        #expect(try transaction.reply(key) == reply)
        #expect(try transaction.reply(ReplyKey(userId: "bob", route: key.route, key: "k")) == nil)
        #expect(try transaction.reply(ReplyKey(userId: "ann", route: "delete thing", key: "k")) == nil)
        reply.outcome = .deleted
        reply.document = nil
        try transaction.save(reply, under: key)
        try transaction.deleteReplies(before: moment)
        #expect(try transaction.reply(key) == reply)
        try transaction.deleteReplies(before: moment.advanced(byMilliseconds: 1))
        #expect(try transaction.reply(key) == nil)
    }
}

private func checkAccounts(_ store: any ServerStore) throws {
    let password = PasswordHash(hash: Data([1]), salt: Data([2]), cost: .minimal)
    let account = Account(id: "u", email: "a@b.c", password: password, createdAt: moment, updatedAt: moment)
    let token = StoredToken(hash: Data([9]), purpose: .access, userId: "u", sessionId: "s", expiresAt: moment)
    let other = StoredToken(hash: Data([8]), purpose: .refresh, userId: "u", sessionId: "t", expiresAt: moment)
    try store.write { transaction throws in
        try transaction.insert(account)
        #expect(try transaction.account(id: "u") == account)
        #expect(try transaction.account(email: "a@b.c") == account)
        #expect(try transaction.account(email: "x@b.c") == nil)
        try transaction.insert(token)
        try transaction.insert(other)
        #expect(try transaction.token(hash: Data([9])) == token)
        try transaction.setExpiry(moment.advanced(byMilliseconds: 5), ofToken: Data([9]))
        try transaction.deleteTokens(expiredBefore: moment.advanced(byMilliseconds: 1))
        #expect(try transaction.token(hash: Data([8])) == nil)
        #expect(try transaction.token(hash: Data([9]))?.expiresAt == moment.advanced(byMilliseconds: 5))
        try transaction.deleteTokens(sessionId: "s")
        #expect(try transaction.token(hash: Data([9])) == nil)
    }
}
