import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("The server of the exchange in memory")
struct ExchangeServerTests {
    private let server = ExchangeServer()
    private let peer: ExchangePeer

    init() async throws {
        let server = server
        peer = ExchangePeer(named: "a") { try server.exchange($0) }
        try server.create(makeEventType(id: testId(1), name: "coffee"))
        try await peer.catchUp()
    }

    @Test("keeps the contract", arguments: ExchangeContract.checks)
    func contract(_ check: ExchangeContract.Check) async throws {
        try await ExchangeContract {
            let server = ExchangeServer()
            return ExchangeContract.Subject(
                exchange: { try server.exchange($0) }, forgetKeys: { server.forgetKeys() },
                pruneTombstones: { server.pruneTombstones() }, restart: { server.restart() },
                copyData: {
                    let copy = server.backup()
                    return { server.restore(copy, underItsName: true) }
                })
        }.run(check)
    }

    @Test("loses requests and answers as a script says, one after the other")
    func script() async throws {
        server.script([.loseRequest(.timeout), .loseAnswer(.connection("broken"))])
        let create = try peer.create(makeEvent(id: testId(2)))
        await #expect(throws: APIError.timeout) { try await peer.sync([create]) }
        #expect(server.document(.event, testId(2)) == nil)
        await #expect(throws: APIError.connection("broken")) { try await peer.sync([create]) }
        #expect(server.document(.event, testId(2)) != nil)
        #expect(try await peer.send(create).replayed)
        #expect(server.mutationCount == 3 && server.requests.count == 4 && server.head == 2)
    }

    @Test("shows what another device does, and refuses it what it refuses everyone")
    func anotherDevice() async throws {
        try server.create(makeEvent(id: testId(2)))
        try server.change(.event, testId(2), ["notes": "theirs"])
        #expect(try await peer.sync().changes.map(\.record) == [server.document(.event, testId(2))])
        try server.delete(.eventType, testId(1))
        #expect(try await peer.sync().changes.map(\.deleted) == [true, true])
        #expect(server.records(of: .event).isEmpty && server.revision(.event, testId(2)) == 4)
        try server.create(makeEventType(id: testId(1), name: "coffee"))
        #expect(throws: ExchangeServer.Refusal.self) { try server.change(.eventType, testId(1), ["name": ""]) }
    }

    @Test("is put back from a backup under another name, or is found out where it keeps its name")
    func backup() async throws {
        let backup = server.backup()
        for keepsName in [false, true] {
            let epoch = server.epoch
            try server.create(makeEvent(id: testId(2)))
            try await peer.catchUp()
            server.restore(backup, underItsName: keepsName)
            await #expect(throws: APIError.self) { try await peer.sync() }
            #expect(server.epoch != epoch && server.head == 1)
            peer.forgetPlace()
            #expect(try await peer.catchUp().map(\.entityId) == [testId(1)])
        }
    }

    @Test("begins another history when its account is emptied")
    func reset() async throws {
        server.reset()
        await #expect(throws: APIError.self) { try await peer.sync() }
        peer.forgetPlace()
        #expect(try await peer.sync().head == 0)
    }

    @Test("serves a client in memory, which has no exchange without one")
    func client() async throws {
        let client = MockNetworkClient(exchange: server)
        await client.enqueue(.fail(APIError.timeout), for: .exchange)
        await #expect(throws: APIError.timeout) { try await client.exchange(SyncRequest()) }
        #expect(try await client.exchange(SyncRequest(limit: 7)).changes.map(\.entityId) == [testId(1)])
        #expect(await client.calls(.exchange).map(\.exchange?.limit) == [1_000, 7])
        await #expect(throws: APIError.noExchange) { try await MockNetworkClient().exchange(SyncRequest()) }
    }

    @Test("has limits that a test sets")
    func limits() async throws {
        server.limitPages(to: 1)
        server.limitMutations(to: 1)
        let events = try (2...3).map { try peer.create(makeEvent(id: testId($0))) }
        let error = await #expect(throws: APIError.self) { try await peer.sync(events) }
        #expect(error?.status == 413)
        for number in 2...3 { try server.create(makeEvent(id: testId(UInt64(number)))) }
        let answer = try await peer.sync()
        #expect(answer.changes.count == 1 && answer.more)
    }
}
