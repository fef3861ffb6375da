import Foundation
import GRDB
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("An operator's work on a server's data")
struct ServerOperatorTests {
    private let world: ServerWorld
    private let manager: ServerOperator
    private let ann: String

    init() throws {
        world = try ServerWorld()
        manager = ServerOperator(store: world.store, clock: world.clock, cost: .minimal)
        ann = try world.accounts.signUp(PasswordCredentials(email: "ann@example.org", password: "correct horse")).user
            .id
    }

    private func makeRecords(_ count: UInt64) throws {
        _ = try world.create(EventType.sample(1), for: ann, key: "type")
        for number in 0..<count { _ = try world.create(Event.sample(10 + number), for: ann, key: "\(number)") }
    }

    private func change(_ body: @escaping @Sendable (any RecordTransaction) throws -> Void) throws {
        try world.store.write(ann, body)
    }

    @Test("finds nothing wrong with what the server itself has written")
    func sound() throws {
        try makeRecords(3)
        _ = try world.records.delete(.event, id: id(10), WriteContext(userId: ann))
        #expect(try manager.check() == CheckReport(accounts: 1, records: 3))
    }

    @Test("finds counts that are not those of the records")
    func wrongCounts() throws {
        try makeRecords(2)
        try change { try $0.add([.event: RecordUsage(records: 1, bytes: 3)]) }
        let problems = try manager.check().problems
        #expect(problems.count == 1 && problems[0].hasPrefix("ann@example.org: 2 event records"), "\(problems)")
    }

    @Test("finds a head before the latest change, and a horizon beyond the head")
    func wrongHead() throws {
        try makeRecords(2)
        try change { transaction throws in
            guard var history = try transaction.history() else { return }
            (history.head, history.horizon) = (2, 9)
            try transaction.save(history)
        }
        let problems = try manager.check().problems
        #expect(problems.contains { $0.contains("has revision 3, and the head is 2") }, "\(problems)")
        #expect(problems.contains { $0.contains("horizon 9 is beyond the head 2") }, "\(problems)")
    }

    @Test(
        "finds documents that cannot be read, or that have another record's id",
        arguments: ["{}", #"{"id":"#, "other"])
    func unreadable(text: String) throws {
        try makeRecords(1)
        let other = try WireCoding.encode(Event.sample(77))
        try change { transaction throws in
            guard case .own(var record)? = try transaction.records([RecordKey(.event, id(10))]).values.first else {
                return
            }
            record.document = text == "other" ? other : Data(text.utf8)
            try transaction.save([RecordWrite(record: record)])
        }
        let problems = try manager.check().problems
        #expect(problems.contains { $0.contains("the event \(id(10))") }, "\(problems)")
    }

    @Test("finds records of nobody, which a pruning removes")
    func nobody() throws {
        try makeRecords(1)
        try world.store.writeAccounts { try $0.deleteAccount(id: ann) }
        let report = try manager.check()
        #expect(report.problems == [] && report.remains.count == 1)
        #expect(try manager.prune(before: world.clock.now()).remains == 1)
        #expect(try manager.check() == CheckReport())
    }

    @Test("finds rows that no account has")
    func strays() throws {
        try makeRecords(1)
        let store = try #require(world.store as? SQLiteServerStore)
        try store.database.write { database in
            try database.execute(
                sql: """
                    INSERT INTO outcome (account, key, digest, revision, kept_at) VALUES (99, 'k', 1, 1, 1);
                    INSERT INTO token (hash, purpose, user_id, session_id, generation, expires_at)
                        VALUES (x'01', 'access', 'u', 's', 0, 1);
                    """)
        }
        let report = try manager.check()
        #expect(report.problems == ["1 keys of requests belong to no account"])
        #expect(report.remains == ["1 tokens belong to no account"])
        _ = try manager.prune(before: Timestamp(milliseconds: 0))
        #expect(try manager.check().remains == [])
    }

    @Test("prunes old tombstones and keys alone; devices that have not seen them take all anew")
    func pruning() throws {
        try makeRecords(3)
        let context = WriteContext(userId: ann)
        for number in [UInt64(10), 11] { _ = try world.records.delete(.event, id: id(number), context) }
        world.pass(seconds: 100 * 86_400)
        let place = try world.sync(SyncRequest(), for: ann)
        let run = place.cursor.split(separator: "~")[1]
        func read(after cursor: Int) throws {
            let body = #"{"epoch":"\#(place.epoch)","cursor":"\#(cursor)~\#(run)","limit":10,"mutations":[]}"#
            _ = try world.records.sync(world.records.prepareSync(Data(body.utf8)), userId: ann)
        }
        try read(after: 4)
        let report = try manager.prune(before: world.clock.now().advanced(bySeconds: -50 * 86_400))
        #expect(report == PruningReport(tombstones: 2, keys: 4))
        #expect(problem { try read(after: 5) }?.kind == .cursorExpired)
        try read(after: 6)
        #expect(try manager.account("ann@example.org").horizon == 6)
        // What is younger stays, and so does a key that the contract promises.
        _ = try world.create(Event.sample(20), for: ann, key: "late")
        _ = try world.records.delete(.event, id: id(12), context)
        #expect(try manager.prune(before: world.clock.now()) == PruningReport())
        #expect(try world.create(Event.sample(20), for: ann, key: "late").isReplay)
        #expect(try manager.check().problems == [])
    }

    @Test("deletes an account in bounded pieces, and its names and its address are free then")
    func deleting() throws {
        try makeRecords(5)
        _ = try world.records.delete(.event, id: id(10), WriteContext(userId: ann))
        try manager.deleteAccount(" ANN@example.org")
        #expect(try manager.check() == CheckReport())
        #expect(try world.store.userIds(after: nil, limit: 9) == [])
        let again = try world.accounts.signUp(PasswordCredentials(email: "ann@example.org", password: "correct horse"))
            .user
        #expect(again.id != ann)
        _ = try world.create(EventType.sample(1), for: again.id)
        #expect(try world.create(Event.sample(11), for: again.id).outcome == .created)
    }

    @Test("a request that outlives its account brings nothing back")
    func outliving() throws {
        try makeRecords(1)
        let records = RecordService(store: world.store, clock: world.clock, demandsAccounts: true)
        let body = try WireCoding.encode(EventType.sample(2))
        let late = try records.prepareCreate(.eventType, body, beneath: nil, WriteContext(userId: ann))
        try manager.deleteAccount("ann@example.org")
        #expect(problem { try late.commit() }?.kind == .unauthorized)
        #expect(try manager.check() == CheckReport() && world.store.userIds(after: nil, limit: 9) == [])
        let again = try world.accounts.signUp(PasswordCredentials(email: "ann@example.org", password: "correct horse"))
            .user
        #expect(try records.create(.eventType, body, WriteContext(userId: again.id)).outcome == .created)
    }

    @Test("a deletion that was interrupted is finished by the next one")
    func interruptedDeletion() throws {
        try makeRecords(2)
        try world.accounts.endSessions(of: ann)
        let erasure = world.records.prepareErasure(of: ann)
        let piece = try #require(erasure.piece)
        _ = try world.store.write(ann, piece)
        #expect(try manager.account("ann@example.org").counts == ["event_type": 1])
        #expect(try manager.check().problems == [])
        try manager.deleteAccount("ann@example.org")
        #expect(try manager.check() == CheckReport())
    }

    @Test("renewed epochs tell every device to take all anew")
    func epochs() throws {
        try makeRecords(1)
        let epoch = try #require(try world.records.head(userId: ann).epoch)
        #expect(try manager.renewEpochs() == 1)
        let body = #"{"epoch":"\#(epoch)","cursor":"2","limit":10,"mutations":[]}"#
        let refused = problem {
            try world.records.sync(world.records.prepareSync(Data(body.utf8)), userId: ann)
        }
        #expect(refused?.kind == .epochChanged)
        #expect(try manager.account("ann@example.org").head.head == 2)
    }

    @Test("a sign-in has the name of its device, and is used whenever tokens are given out")
    func sessions() throws {
        let grant = try world.accounts.logIn(
            PasswordCredentials(email: "ann@example.org", password: "correct horse"), device: "phone")
        world.pass(seconds: 3_600)
        _ = try world.accounts.refresh(grant.refreshToken)
        let sessions = try manager.account("ann@example.org").sessions
        #expect(sessions.map(\.device) == ["phone", nil])
        #expect(sessions[0].usedAt == world.clock.now() && sessions[0].createdAt == sessions[1].createdAt)
        #expect(sessions[0].expiresAt == world.clock.now().advanced(bySeconds: 90 * 86_400))
        world.pass(seconds: 90 * 86_400 - 1)
        #expect(try manager.account("ann@example.org").sessions.map(\.device) == ["phone"])
    }
}
