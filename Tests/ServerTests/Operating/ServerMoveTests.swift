import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

@Suite("Moving a server")
struct ServerMoveTests {
    @Test("takes everything along: sign-ins, records, deletions, keys, heads and epochs")
    func everything() async throws { try await checkMove { try SQLiteServerStore() } }

    @Test("refuses a folder that is in use, a target with accounts, and the rest of an interrupted move until told")
    func refusals() async throws {
        try await withFolder { folder in
            let (move, target) = (ServerMove(from: folder), try SQLiteServerStore())
            func run(isAnew: Bool = false) throws -> ServerMove.Report {
                try move.run(to: target, named: "memory", isAnew: isAnew)
            }
            #expect(throws: OperatorError.self) { try run() }
            try fillServer(in: folder)
            do {
                let server = try makeServer(in: folder)
                #expect(throws: ServerStartError.self) { try run() }
                withExtendedLifetime(server) {}
            }
            // What a move leaves that was interrupted before the accounts.
            _ = try run()
            let ann = try #require(try target.readAccounts { try $0.accounts(after: nil, limit: 9) }.first)
            #expect { try run(isAnew: true) } throws: { "\($0)".contains("has accounts already") }
            let sessions = try target.readAccounts { try $0.sessions(userId: ann.id) }
            try target.writeAccounts { try $0.deleteAccount(id: ann.id) }
            try target.writeAccounts { for session in sessions { try $0.save(session) } }
            #expect { try run() } throws: { "\($0)".contains("--anew") }
            #expect(try run(isAnew: true).accounts == 1)
            #expect(try ServerOperator(store: target).check().problems == [])
        }
    }

    @Test("refuses damaged data before anything is written")
    func damaged() async throws {
        try await withFolder { folder in
            try fillServer(in: folder)
            do {
                let store = try SQLiteServerStore(file: folder.appending(path: "server.sqlite"))
                let ann = try #require(try store.userIds(after: nil, limit: 1).first)
                try store.write(ann) { try $0.add([.event: RecordUsage(records: 1)]) }
            }
            let target = try SQLiteServerStore()
            #expect { try ServerMove(from: folder).run(to: target, named: "memory", isAnew: false) } throws: {
                "\($0)".contains("is damaged")
            }
            #expect(try target.userIds(after: nil, limit: 1).isEmpty)
        }
    }
}

/// A server with an account that has all that can be moved. Answers what ann's device has.
@discardableResult
private func fillServer(in folder: URL) throws -> SessionGrant {
    let server = try makeServer(in: folder)
    let ann = try server.accounts.signUp(
        PasswordCredentials(email: "ann@example.org", password: "correct horse"), device: "laptop")
    _ = try server.accounts.invite("bob@example.org", lasting: 3600)
    let context = { (key: String) in WriteContext(userId: ann.user.id, idempotencyKey: key) }
    _ = try server.records.create(.eventType, WireCoding.encode(EventType.sample(1)), context("type"))
    for number in UInt64(10)..<13 {
        _ = try server.records.create(
            .event, WireCoding.encode(Event.sample(number, notes: "später \(number)")), context(id(number)))
    }
    _ = try server.records.delete(.event, id: id(11), context("gone"))
    // The type gets a greater revision than its events have.
    _ = try server.records.update(
        .eventType, id: id(1), WireCoding.encode(["name": JSONValue.string("tea")]), context("tea"))
    return ann
}

/// What a move into any store has to do.
func checkMove(_ makeTarget: () throws -> any ServerStore) async throws {
    try await withFolder { folder in
        let ann = try fillServer(in: folder)
        let target = try makeTarget()
        let report = try ServerMove(from: folder).run(to: target, named: "the target", isAnew: false)
        #expect(report.accounts == 1 && report.sessions == 1 && report.records == 3 && report.tombstones == 1)
        #expect(report.keys == 6 && report.checksum.count == 64)
        let source = try ServerOperator(dataDirectory: folder)
        let moved = ServerOperator(store: target)
        #expect(try moved.check() == source.check())
        #expect(try moved.account("ann@example.org") == source.account("ann@example.org"))
        let world = try ServerWorld(store: target)
        let user = ann.user.id
        #expect(try moved.accounts.authenticate(ann.accessToken).userId == user)
        #expect(try moved.accounts.refresh(ann.refreshToken).user == ann.user)
        #expect(try world.list(.event, for: user) == [id(12), id(10)])
        #expect(try world.create(Event.sample(10, notes: "später 10"), for: user, key: id(10)).isReplay)
        // The references came along: a type goes with its events.
        _ = try world.records.delete(.eventType, id: id(1), WriteContext(userId: user))
        #expect(try world.list(.event, for: user).isEmpty)
        #expect(try moved.check().problems == [])
    }
}
