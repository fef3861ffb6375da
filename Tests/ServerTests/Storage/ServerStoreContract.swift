import Foundation
import Synchronization
import Testing
import TrendyDomain

@testable import TrendyServer

/// What any ``ServerStore`` has to do. Call it from a test with a maker of fresh, empty stores.
func checkServerStoreContract(_ makeStore: () throws -> any ServerStore) throws {
    try checkAtomicity(makeStore())
    try checkGroups(makeStore())
    try checkHistories(makeStore())
    try checkRuns(makeStore())
    try checkRecords(makeStore())
    try checkUniqueKeys(makeStore())
    try checkListing(makeStore())
    try checkReferences(makeStore())
    try checkUsage(makeStore())
    try checkOutcomes(makeStore())
    try checkChanges(makeStore())
    try checkErasure(makeStore())
    try checkAccounts(makeStore())
    try checkSessions(makeStore())
    try checkInvites(makeStore())
    try checkOwners(makeStore())
}

private struct Interruption: Error {}

private let moment = Timestamp(milliseconds: 1_700_000_000_000)
private let later = moment.advanced(byMilliseconds: 5)

private func name(_ id: String) -> RecordKey { RecordKey("thing", id) }

/// A record whose revision follows from its id.
private func record(_ id: String, _ text: String = "{}") -> StoredRecord {
    let revision = Int64(id.unicodeScalars.first?.value ?? 0)
    return StoredRecord(
        key: name(id), document: Data(text.utf8), createdAt: moment, updatedAt: moment, revision: revision,
        createdRevision: revision)
}

private func tombstone(_ id: String, _ revision: Int64) -> RecordWrite {
    RecordWrite(
        record: StoredRecord(
            key: name(id), document: nil, createdAt: later, updatedAt: later, revision: revision,
            createdRevision: revision))
}

extension RecordTransaction {
    fileprivate func save(_ ids: [String], _ index: RecordIndex = RecordIndex()) throws {
        try save(ids.map { RecordWrite(record: record($0), index: index) })
    }

    fileprivate func standing(_ id: String) throws -> Standing? { try records([name(id)])[name(id)] }
}

/// A store in which ann and bob have a history.
private func begin(_ store: any ServerStore) throws {
    for user in ["ann", "bob"] { try store.write(user) { try $0.save(AccountHistory(epoch: "e")) } }
}

private func checkAtomicity(_ store: any ServerStore) throws {
    try begin(store)
    #expect(throws: Interruption.self) {
        try store.write("ann") { transaction throws in
            try transaction.save(AccountHistory(epoch: "f", head: 1))
            try transaction.save(["a"], RecordIndex(naturalKey: "n"))
            throw Interruption()
        }
    }
    try store.read("ann") { transaction throws in
        #expect(try transaction.standing("a") == nil)
        #expect(try transaction.history() == AccountHistory(epoch: "e"))
    }
    try store.write("ann") { try $0.save(["a"], RecordIndex(naturalKey: "n")) }
    #expect(try store.read("ann") { try $0.standing("a") } == .own(record("a")))
}

private func checkGroups(_ store: any ServerStore) throws {
    let ends = Ends()
    let jobs = ["ann", "bob", "ann"].enumerated().map { place, user in
        WriteJob(user) { transaction throws -> Int64 in
            let head = (try transaction.history()?.head ?? 0) + 1
            try transaction.save(AccountHistory(epoch: user, head: head))
            if user == "bob" { throw Interruption() }
            return head
        } then: { result in
            ends.told.withLock { $0.append((place, try? result.get())) }
        }
    }
    store.write(jobs)
    // Users need not wait for each other.
    #expect(ends.told.withLock { $0.map(\.0).filter { $0 != 1 } } == [0, 2])
    #expect(ends.told.withLock { $0.sorted { $0.0 < $1.0 }.map(\.1) } == [1, nil, 2])
    #expect(try store.read("ann") { try $0.history()?.head } == 2)
    #expect(try store.read("bob") { try $0.history() } == nil)
}

private final class Ends: Sendable {
    let told = Mutex<[(Int, Int64?)]>([])
}

private func checkHistories(_ store: any ServerStore) throws {
    let history = AccountHistory(epoch: "e", head: 7, horizon: 3, run: "r")
    try store.write("ann") { transaction throws in
        #expect(try transaction.history() == nil)
        try transaction.save(history)
        #expect(try transaction.history() == history)
    }
    #expect(try store.read("bob") { try $0.history() } == nil)
    try store.write("ann") { try $0.save(AccountHistory(epoch: "f", head: 9)) }
    #expect(try store.read("ann") { try $0.history() } == AccountHistory(epoch: "f", head: 9, horizon: 0))
}

private func checkRuns(_ store: any ServerStore) throws {
    try begin(store)
    try store.write("ann") { transaction throws in
        #expect(try transaction.lastRevision(of: "r") == nil)
        for run in [EndedRun(name: "r", last: 3), EndedRun(name: "", last: 1), EndedRun(name: "r", last: 5)] {
            try transaction.save(run)
        }
    }
    try store.read("ann") { transaction throws in
        #expect(try transaction.lastRevision(of: "r") == 5 && transaction.lastRevision(of: "") == 1)
    }
    #expect(try store.read("bob") { try $0.lastRevision(of: "r") } == nil)
    try store.write("ann") { try $0.deleteRuns() }
    #expect(try store.read("ann") { try $0.lastRevision(of: "r") } == nil)
    try store.write("bob") { transaction throws in
        try transaction.save(EndedRun(name: "r", last: 2))
        try transaction.eraseHistory()
    }
    #expect(try store.flaws() == StoreFlaws())
}

private func checkRecords(_ store: any ServerStore) throws {
    try begin(store)
    let uuid = "0190a000-0000-7abc-8def-00000000000a"
    let many = (0..<600).map { String(UnicodeScalar(UInt32(0x4E00 + $0)) ?? "x") }
    try store.write("ann") { transaction throws in
        try transaction.save(["a", uuid] + many)
        let names = Set((["a", uuid, "b"] + many).map(name) + [RecordKey("other", "a")])
        let found = try transaction.records(names)
        #expect(found.count == 602 && found[name(uuid)] == .own(record(uuid)) && found[name("a")] == .own(record("a")))
        var changed = record("a", #"{"später":"☕️"}"#)
        (changed.updatedAt, changed.revision) = (later, 7)
        try transaction.save([RecordWrite(record: changed)])
        #expect(try transaction.standing("a") == .own(changed))
        try transaction.save([tombstone(uuid, 8)])
        #expect(try transaction.standing(uuid) == .own(tombstone(uuid, 8).record))
        try transaction.save([RecordWrite(record: record(uuid))])
        #expect(try transaction.standing(uuid) == .own(record(uuid)))
        try transaction.save([tombstone("a", 9)])
    }
    try store.write("bob") { transaction throws in
        #expect(try transaction.records([name("a"), name(uuid)]) == [name("a"): .foreign, name(uuid): .foreign])
    }
}

private func checkUniqueKeys(_ store: any ServerStore) throws {
    try begin(store)
    let keys: Set<UniqueKey> = [
        UniqueKey("thing", .natural, "x"), UniqueKey("thing", .natural, "X"), UniqueKey("other", .natural, "x"),
        UniqueKey("thing", .upsert, "x"),
    ]
    try store.write("bob") { try $0.save(["z"], RecordIndex(naturalKey: "X", upsertKey: "x")) }
    try store.write("ann") { transaction throws in
        try transaction.save(["a"], RecordIndex(naturalKey: "x"))
        try transaction.save(["b"], RecordIndex(upsertKey: "x"))
        #expect(
            try transaction.holders(of: keys) == [
                UniqueKey("thing", .natural, "x"): ["a"], UniqueKey("thing", .upsert, "x"): ["b"],
            ])
        // Two can have one key where that was another key before; the older is the first.
        try transaction.save(["c"], RecordIndex(naturalKey: "x"))
        var older = record("d")
        (older.revision, older.createdRevision) = (120, 5)
        try transaction.save([RecordWrite(record: older, index: RecordIndex(naturalKey: "x"))])
        #expect(try transaction.holders(of: keys)[UniqueKey("thing", .natural, "x")] == ["d", "a", "c"])
        try transaction.save([
            RecordWrite(record: record("a")), tombstone("b", 7), tombstone("c", 8), tombstone("d", 9),
        ])
        #expect(try transaction.holders(of: keys) == [:])
    }
}

private func checkListing(_ store: any ServerStore) throws {
    try begin(store)
    try store.write("bob") { try $0.save(["e"], RecordIndex(order: 2)) }
    try store.write("ann") { transaction throws in
        for (id, order, isActive) in [("a", Int64(2), true), ("b", 1, false), ("c", 2, true), ("d", 3, true)] {
            try transaction.save([id], RecordIndex(order: order, isActive: isActive))
        }
        try transaction.save([tombstone("f", 7)])
        func list(_ query: RecordQuery, _ bytes: Int = .max) throws -> String {
            try transaction.page(of: "thing", query, byteLimit: bytes).map(\.record.key.id).joined()
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
        #expect(try list(RecordQuery(), 1) == "ba")
        #expect(try transaction.page(of: "thing", RecordQuery(limit: 2), byteLimit: .max).map(\.order) == [1, 2])
        #expect(try transaction.page(of: "other", RecordQuery(), byteLimit: .max).isEmpty)
    }
}

private func checkReferences(_ store: any ServerStore) throws {
    try begin(store)
    let (p, q) = (name("p"), name("q"))
    let (inP, alsoP) = (
        RecordIndex.Reference(field: "parent_id", parent: p), RecordIndex.Reference(field: "other_id", parent: p)
    )
    let inQ = RecordIndex.Reference(field: "parent_id", parent: q)
    try store.write("ann") { transaction throws in
        try transaction.save(["p", "q"])
        try transaction.save(["a"], RecordIndex(references: [inP, alsoP]))
        try transaction.save(["b"], RecordIndex(references: [inP]))
        func children(_ parent: RecordKey) throws -> Set<String> {
            Set(try transaction.children(of: [p, q])[parent, default: []].map { "\($0.key.id).\($0.field)" })
        }
        #expect(try children(p) == ["a.parent_id", "a.other_id", "b.parent_id"])
        #expect(try transaction.children(of: [p])[p]?.map(\.revision) == [97, 97, 98])
        let listed = try transaction.page(of: "thing", RecordQuery(parent: inP), byteLimit: .max)
        #expect(listed.map(\.record.key.id) == ["a", "b"])
        func some(_ type: EntityType = "thing", limit: Int = 9, byteLimit: Int = .max) throws -> [String] {
            try transaction.children(type, of: inP, limit: limit, byteLimit: byteLimit).map(\.key.id)
        }
        #expect(try some() == ["a", "b"])
        #expect(try some(limit: 1) == ["a"])
        #expect(try some(byteLimit: 1) == ["a", "b"])
        #expect(try some("other").isEmpty)
        #expect(try transaction.children("thing", of: alsoP, limit: 9, byteLimit: .max) == [record("a")])
        #expect(try transaction.hasChild("thing", of: inP, after: 97))
        #expect(try !transaction.hasChild("thing", of: inP, after: 98))
        #expect(try !transaction.hasChild("thing", of: alsoP, after: 97))
        #expect(try !transaction.hasChild("other", of: inP, after: 0))
        try transaction.save([
            RecordWrite(record: record("a"), index: RecordIndex(references: [alsoP, inQ]), former: [inP, alsoP])
        ])
        #expect(try children(p) == ["a.other_id", "b.parent_id"])
        #expect(try children(q) == ["a.parent_id"])
        var gone = tombstone("b", 7)
        gone.former = [inP]
        try transaction.save([gone])
        #expect(try children(p) == ["a.other_id"])
    }
}

private func checkUsage(_ store: any ServerStore) throws {
    try begin(store)
    try store.write("ann") { transaction throws in
        #expect(try transaction.usage() == [:])
        try transaction.add(["thing": RecordUsage(records: 3, bytes: 70), "other": RecordUsage(records: 1, bytes: 5)])
        try transaction.add(["thing": RecordUsage(records: -1, bytes: -30), "other": RecordUsage(bytes: 2)])
    }
    let usage: [EntityType: RecordUsage] = [
        "thing": RecordUsage(records: 2, bytes: 40), "other": RecordUsage(records: 1, bytes: 7),
    ]
    #expect(try store.read("ann") { try $0.usage() } == usage)
    #expect(throws: Interruption.self) {
        try store.write("ann") { transaction throws in
            try transaction.add(["thing": RecordUsage(records: 1)])
            throw Interruption()
        }
    }
    try store.write("bob") { try $0.add(["thing": RecordUsage(records: 9, bytes: 9)]) }
    #expect(try store.read("ann") { try $0.usage() } == usage)
    try store.write("ann") { try $0.add(["other": RecordUsage(records: -1, bytes: -7)]) }
    #expect(try store.read("ann") { try $0.usage() } == ["thing": RecordUsage(records: 2, bytes: 40)])
}

private func checkOutcomes(_ store: any ServerStore) throws {
    try begin(store)
    let uuid = "0190a000-0000-7abc-8def-00000000000a"
    let old = KeptOutcome(key: uuid, digest: .min, revision: 4, at: moment)
    let new = KeptOutcome(
        key: "create thing l", digest: 7, outcome: .partlyCreated, revision: 5, at: later, errors: Data("[]".utf8))
    try store.write("ann") { transaction throws in
        try transaction.save([old, new])
        #expect(try transaction.outcomes([uuid, new.key, "m"]) == [uuid: old, new.key: new])
        try transaction.deleteOutcomes(before: later)
        #expect(try transaction.outcomes([uuid, new.key]) == [new.key: new])
        var again = new
        again.digest = 8
        try transaction.save([again])
        #expect(try transaction.outcomes([new.key]) == [new.key: again])
    }
    try store.write("bob") { transaction throws in
        try transaction.deleteOutcomes(before: later.advanced(byMilliseconds: 1))
        #expect(try transaction.outcomes([new.key]).isEmpty)
    }
    #expect(try store.read("ann") { try $0.outcomes([new.key]).count } == 1)
}

private func checkChanges(_ store: any ServerStore) throws {
    try begin(store)
    try store.write("bob") { try $0.save(["e"]) }
    try store.write("ann") { transaction throws in
        try transaction.save(["c", "a", "d"])
        try transaction.save([tombstone("x", 98)])
        func changes(_ after: Int64, upTo last: Int64 = .max, limit: Int = 10, bytes: Int = .max) throws -> String {
            try transaction.changes(after: after, upTo: last, limit: limit, byteLimit: bytes).map(\.key.id).joined()
        }
        #expect(try changes(0) == "axcd")
        #expect(try changes(97, limit: 2) == "xc")
        #expect(try changes(97, upTo: 98) == "x")
        #expect(try changes(100) == "")
        #expect(try changes(0, bytes: 1) == "ax")
        let first = try transaction.changes(after: 0, upTo: .max, limit: 2, byteLimit: .max)
        #expect(first == [record("a"), tombstone("x", 98).record])
    }
}

private func checkAccounts(_ store: any ServerStore) throws {
    let password = PasswordHash(hash: Data([1]), salt: Data([2]), cost: .minimal)
    let account = Account(id: "u", email: "a@b.c", password: password, createdAt: moment, updatedAt: moment)
    let token = StoredToken(hash: Data([9]), purpose: .access, userId: "u", sessionId: "s", expiresAt: moment)
    let other = StoredToken(
        hash: Data([8]), purpose: .refresh, userId: "u", sessionId: "t", generation: 3, expiresAt: moment)
    let used = StoredToken(
        hash: Data([7]), purpose: .refresh, userId: "u", sessionId: "s", generation: 2, expiresAt: later,
        usedAt: moment)
    try store.writeAccounts { transaction throws in
        try transaction.insert(account)
        #expect(try transaction.account(id: "u") == account)
        #expect(try transaction.account(email: "a@b.c") == account)
        #expect(try transaction.account(email: "x@b.c") == nil)
        let others = ["b@b.c", "a@b.d", "ä@b.c"].map {
            Account(id: $0, email: $0, password: password, createdAt: moment, updatedAt: moment)
        }
        for other in others { try transaction.insert(other) }
        let addresses = ["a@b.c", "a@b.d", "b@b.c", "ä@b.c"]
        #expect(try transaction.accounts(after: nil, limit: 9).map(\.email) == addresses)
        #expect(try transaction.accounts(after: "a@b.d", limit: 1).map(\.email) == ["b@b.c"])
        var changed = account
        changed.password = PasswordHash(hash: Data([3]), salt: Data([4]), cost: .standard)
        changed.updatedAt = later
        try transaction.update(changed)
        #expect(try transaction.account(id: "u") == changed)
        try transaction.deleteAccount(id: "b@b.c")
        #expect(try transaction.account(id: "b@b.c") == nil && transaction.accounts(after: nil, limit: 9).count == 3)
        try transaction.insert(token)
        try transaction.insert(other)
        #expect(try transaction.token(hash: Data([9])) == token)
        try transaction.insert(used)
        #expect(try transaction.token(hash: Data([8])) == other)
        #expect(try transaction.token(hash: Data([7])) == used)
        #expect(try transaction.newestGeneration(sessionId: "s") == 2)
        #expect(try transaction.newestGeneration(sessionId: "t") == 3)
        #expect(try transaction.newestGeneration(sessionId: "x") == nil)
        try transaction.setUsed(later, ofToken: Data([8]))
        #expect(try transaction.token(hash: Data([8]))?.usedAt == later)
        #expect(try transaction.token(hash: Data([8]))?.expiresAt == moment)
        try transaction.deleteEnded(before: moment.advanced(byMilliseconds: 1))
        #expect(try transaction.token(hash: Data([8])) == nil)
        #expect(try transaction.token(hash: Data([9])) == nil)
        #expect(try transaction.token(hash: Data([7])) == used)
        try transaction.deleteSession(id: "s")
        #expect(try transaction.token(hash: Data([7])) == nil)
    }
    #expect(try store.readAccounts { try $0.token(hash: Data([9])) } == nil)
    #expect(throws: Interruption.self) {
        try store.writeAccounts { transaction throws in
            try transaction.insert(token)
            throw Interruption()
        }
    }
    #expect(try store.readAccounts { try $0.token(hash: Data([9])) } == nil)
}

private func checkSessions(_ store: any ServerStore) throws {
    func session(_ id: String, of userId: String = "u", used: Timestamp = moment) -> StoredSession {
        StoredSession(id: id, userId: userId, createdAt: moment, usedAt: used, expiresAt: used)
    }
    func token(_ byte: UInt8, _ sessionId: String) -> StoredToken {
        StoredToken(hash: Data([byte]), purpose: .access, userId: "u", sessionId: sessionId, expiresAt: later)
    }
    try store.writeAccounts { transaction throws in
        for each in [session("s"), session("t", used: later), session("x", of: "v")] { try transaction.save(each) }
        for (byte, id) in [(UInt8(1), "s"), (2, "t"), (3, "x")] { try transaction.insert(token(byte, id)) }
        #expect(try transaction.sessions(userId: "u") == [session("t", used: later), session("s")])
        var changed = session("s", used: later)
        changed.device = "téléphone"
        try transaction.save(changed)
        #expect(try transaction.session(id: "s") == changed && transaction.session(id: "y") == nil)
        try transaction.deleteSession(id: "s")
        #expect(try transaction.session(id: "s") == nil && transaction.token(hash: Data([1])) == nil)
        #expect(try transaction.token(hash: Data([2])) != nil)
        try transaction.save(session("w"))
        #expect(try transaction.deleteSessions(userId: "u", keeping: "w") == 1)
        #expect(try transaction.sessions(userId: "u") == [session("w")])
        #expect(try transaction.deleteSessions(userId: "u", keeping: nil) == 1)
        #expect(try transaction.sessions(userId: "u").isEmpty && transaction.token(hash: Data([2])) == nil)
        #expect(try transaction.session(id: "x") != nil && transaction.token(hash: Data([3])) != nil)
        try transaction.deleteEnded(before: later)
        #expect(try transaction.session(id: "x") == nil)
    }
}

private func checkOwners(_ store: any ServerStore) throws {
    let password = try PasswordHash(of: "p", salt: Data(count: 16), cost: .minimal)
    #expect(try store.write("ann") { try $0.hasAccount() } == false)
    let account = Account(id: "ann", email: "a@b.c", password: password, createdAt: moment, updatedAt: moment)
    let session = StoredSession(id: "s", userId: "ann", createdAt: moment, usedAt: moment, expiresAt: later)
    let stray = StoredSession(id: "t", userId: "nobody", createdAt: moment, usedAt: moment, expiresAt: later)
    try store.writeAccounts { transaction throws in
        try transaction.insert(account)
        for session in [session, stray] { try transaction.save(session) }
    }
    #expect(try store.write("ann") { try $0.hasAccount() } && !store.write("bob") { try $0.hasAccount() })
    #expect(try store.flaws() == StoreFlaws(remains: ["1 sign-ins belong to no account"]))
    try store.writeAccounts { try $0.deleteStrays() }
    #expect(try store.readAccounts { try $0.session(id: "s") } == session)
    #expect(try store.flaws() == StoreFlaws())
    try store.writeAccounts { try $0.deleteAccount(id: "ann") }
    #expect(try store.write("ann") { try $0.hasAccount() } == false)
    #expect(try store.userIds(after: nil, limit: 9) == [])
}

private func checkInvites(_ store: any ServerStore) throws {
    let (any, one) = (
        StoredInvite(hash: Data([1]), email: nil, createdAt: moment, expiresAt: later),
        StoredInvite(hash: Data([2]), email: "a@b.c", createdAt: moment, expiresAt: moment)
    )
    try store.writeAccounts { transaction throws in
        for invite in [any, one] { try transaction.insert(invite) }
        #expect(try transaction.invite(hash: Data([1])) == any && transaction.invite(hash: Data([2])) == one)
        #expect(try transaction.invite(hash: Data([3])) == nil)
        try transaction.deleteEnded(before: later)
        #expect(try transaction.invite(hash: Data([1])) == any && transaction.invite(hash: Data([2])) == nil)
        try transaction.deleteInvite(hash: Data([1]))
        #expect(try transaction.invite(hash: Data([1])) == nil)
    }
}

private func checkErasure(_ store: any ServerStore) throws {
    try begin(store)
    let inP = RecordIndex.Reference(field: "parent_id", parent: name("p"))
    try store.write("bob") { try $0.save(["z"]) }
    try store.write("ann") { transaction throws in
        try transaction.save(["p"])
        try transaction.save(["a", "b"], RecordIndex(references: [inP]))
        try transaction.save([tombstone("x", 1), tombstone("y", 2)])
        #expect(try transaction.tombstones(before: later, after: 0, limit: 9).isEmpty)
        let old = later.advanced(byMilliseconds: 1)
        #expect(try transaction.tombstones(before: old, after: 0, limit: 1) == [tombstone("x", 1).record])
        #expect(try transaction.tombstones(before: old, after: 1, limit: 9) == [tombstone("y", 2).record])
        // Of another revision, and another user's.
        #expect(try transaction.erase([tombstone("x", 7), RecordWrite(record: record("z"))]) == 0)
        #expect(try transaction.erase([tombstone("x", 1)]) == 1)
        #expect(try transaction.standing("x") == nil && transaction.standing("y") != nil)
        #expect(try transaction.erase([RecordWrite(record: record("a"), former: [inP])]) == 1)
        #expect(try transaction.children(of: [name("p")])[name("p")]?.map(\.key.id) == ["b"])
        try transaction.save(["a"])
        #expect(try transaction.children(of: [name("p")])[name("p")]?.map(\.key.id) == ["b"])
        #expect(try transaction.erase([RecordWrite(record: record("p"))]) == 1)
        try transaction.save(["p"])
        #expect(try transaction.children(of: [name("p")]) == [:])
        let keys = ["k", "l", "m"].map { KeptOutcome(key: $0, digest: 1, revision: 1, at: moment) }
        try transaction.save(keys)
        #expect(try transaction.deleteOutcomes(before: moment, limit: 9) == 0)
        #expect(try transaction.deleteOutcomes(before: later, limit: 2) == 2)
        #expect(try transaction.deleteOutcomes(before: later, limit: 2) == 1)
        try transaction.add(["thing": RecordUsage(records: 3, bytes: 70)])
    }
    #expect(try store.userIds(after: nil, limit: 9).sorted() == ["ann", "bob"])
    let first = try store.userIds(after: nil, limit: 1)
    #expect(try Set(first + store.userIds(after: first.first, limit: 9)) == ["ann", "bob"])
    #expect(try store.flaws() == StoreFlaws())
    try store.write("ann") { transaction throws in
        for id in ["a", "b", "p"] { #expect(try transaction.erase([RecordWrite(record: record(id))]) == 1) }
        #expect(try transaction.erase([tombstone("y", 2)]) == 1)
        try transaction.eraseHistory()
    }
    #expect(try store.userIds(after: nil, limit: 9) == ["bob"])
    try store.write("ann") { transaction throws in
        #expect(try transaction.history() == nil)
        try transaction.save(AccountHistory(epoch: "new"))
        #expect(try transaction.usage() == [:])
    }
}
