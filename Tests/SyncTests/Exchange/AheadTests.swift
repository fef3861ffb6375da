import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// If nothing in a request depends on the answer before it, it goes first, and the answer is saved meanwhile.
@Suite("A request that goes before an answer is saved")
struct AheadTests {
    private let server = ExchangeServer()
    private let device: ExchangingDevice
    private let row = makeEventType()

    init() {
        device = ExchangingDevice(server)
    }

    /// Lets events wait to be sent, two with one request.
    private func wait(events count: Int) async throws {
        try await device.sync()
        try device.write { writer in
            try writer.create(row)
            for _ in 0..<count { try writer.create(makeEvent(eventTypeId: row.id)) }
        }
        device.configuration.mutationsPerRequest = 2
    }

    @Test("is sent again with the one before it if a save fails, and both take effect once", arguments: 1..<5)
    func failedSave(_ place: Int) async throws {
        try await wait(events: 11)
        let stores = MockDataStoreFactory(wrapping: device.stores)
        stores.enqueue(.serve, times: place, for: .save)
        stores.enqueue(.fail(.failed("the disk is full")), for: .save)
        await #expect(throws: (any Error).self) { _ = try await device.sync(over: stores) }
        // What has arrived and is not known here was marked: it may have been sent.
        let accepted = try device.mutations([.accepted]).count
        let marked = try device.mutations([.sending]).count
        #expect(Int(server.head) <= accepted + marked)
        // As after a crash: the lease of the sync runs out.
        device.clock.advance(bySeconds: 300)
        try await device.sync()
        #expect(server.head == 12)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty && device.conflicts.isEmpty)
    }

    @Test("has left when the save fails, so the server knows of two requests that the device does not")
    func hasLeft() async throws {
        try await wait(events: 11)
        let stores = MockDataStoreFactory(wrapping: device.stores)
        // The first save packs what is sent, the second one is that of the first answer.
        stores.enqueue(.serve, times: 1, for: .save)
        stores.enqueue(.fail(.failed("the disk is full")), for: .save)
        await #expect(throws: (any Error).self) { _ = try await device.sync(over: stores) }
        #expect(server.head == 4)
        #expect(try device.mutations([.accepted]).isEmpty)
        #expect(try device.mutations([.sending]).count == 4)
    }

    @Test("is refused for too many while a save fails, and the pause is kept", arguments: [60.0, nil])
    func refusedMeanwhile(retryAfter: Double?) async throws {
        try await wait(events: 11)
        let stores = MockDataStoreFactory(wrapping: device.stores)
        stores.enqueue(.serve, times: 1, for: .save)
        stores.enqueue(.fail(.failed("the disk is full")), for: .save)
        device.gateway = HookedGateway(server: server) { number in
            if number == 2 { throw APIError.rateLimited(retryAfter: retryAfter) }
        }
        await #expect(throws: (any Error).self) { _ = try await device.sync(over: stores) }
        let breaker = try device.stores.makeDataStore().breaker(for: MockNetworkClient().serverName)
        #expect(breaker.refusals == 1)
        #expect(breaker.remaining(at: device.clock.now()) == retryAfter)
    }

    @Test("is taken back before an answer is applied, so that records in the answer are merged at once")
    func takenBack() async throws {
        try await wait(events: 0)
        let events = (0..<6).map { makeEvent(eventTypeId: row.id, notes: "\($0)") }
        try device.write { writer in for event in events { try writer.insert(event, isAdopted: true) } }
        try server.create(row)
        for event in events {
            var theirs = event
            theirs.notes = "theirs"
            try server.create(theirs)
        }
        try await device.sync()
        // The first request carried creates; its answer has brought all of the other device's records.
        #expect(server.sent.count { $0.operation == .create } == 2)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty && device.conflicts.count == 6)
    }

    @Test("is taken back where the save of an answer fails")
    func failedSaveOfNews() async throws {
        try await wait(events: 6)
        // The answer brings something, so that nothing goes before it is saved.
        try server.create(makeEventType(name: "tea"))
        let stores = MockDataStoreFactory(wrapping: device.stores)
        stores.enqueue(.serve, times: 1, for: .save)
        stores.enqueue(.fail(.failed("the disk is full")), for: .save)
        await #expect(throws: (any Error).self) { _ = try await device.sync(over: stores) }
        #expect(try server.head == 3 && device.mutations([.sending]).count == 2)
    }

    @Test("carries no second operation of a record, whose base is the result of the first")
    func sameRecord() async throws {
        let event = makeEvent(eventTypeId: row.id)
        try await wait(events: 0)
        try device.write { try $0.create(event) }
        try device.write { try $0.markSent() }
        var edited = event
        edited.notes = "edited"
        let version = edited
        try device.write { try $0.update(version) }
        try await device.sync()
        #expect(try server.event(event.id)?.notes == "edited")
        #expect(server.sent.count { $0.entityId == event.id && $0.operation == .update } == 1)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty && device.conflicts.isEmpty)
    }

    @Test("does not go if a person queues a parked change again that comes before it")
    func putBack() async throws {
        try await wait(events: 0)
        let parked = try #require(try device.mutations([.queued]).first)
        try device.write { writer in
            var cleared = parked
            cleared.park(ParkReason(code: .cleared, message: "cleared"), at: device.clock.now())
            try writer.store.begin()
            try writer.store.updateMutation(cleared)
        }
        try device.write { writer in
            for _ in 0..<2 { try writer.create(makeGeofence(id: device.identifiers.makeId())) }
            for _ in 0..<4 { try writer.create(makeEvent(id: device.identifiers.makeId(), eventTypeId: row.id)) }
        }
        device.gateway = HookedGateway(server: server) { [stores = device.stores] number in
            guard number == 1 else { return }
            let store = try stores.makeDataStore()
            try store.begin()
            try store.updateMutation(parked)
            try store.save()
        }
        try await device.sync()
        let sent = server.sent.map(\.entityType)
        #expect(sent.firstIndex(of: .eventType).map { $0 < sent.firstIndex(of: .event) ?? 0 } == true)
        #expect(sent.count == 7)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
    }

    @Test("asks for the next page, and a resync that is asked for meanwhile begins anew")
    func restarted() async throws {
        try server.create(row)
        for _ in 0..<20 { try server.create(makeEvent(eventTypeId: row.id)) }
        device.configuration.changesPerPage = 4
        device.gateway = HookedGateway(server: server) { [stores = device.stores] number in
            guard number == 3 else { return }
            let store = try stores.makeDataStore()
            try store.askForFullResync()
            try store.save()
        }
        let cycle = try await device.sync()
        #expect(try device.all(Event.self).count == 20)
        #expect(!cycle.hasMore)
        // The third request was on its way; one may have been asked for behind it.
        let anew = server.requests.lastIndex { $0.cursor == nil } ?? 0
        #expect(server.requests.count { $0.cursor == nil } == 2 && (3...4).contains(anew))
        #expect(try device.stores.makeDataStore().exchangePlace().resync == nil)
    }
}

/// The way to a server in memory, with something that happens when a request arrives.
private final class HookedGateway: SyncGateway {
    private let server: ExchangeServer
    private let requests = Mutex(0)
    private let onRequest: @Sendable (Int) throws -> Void

    init(server: ExchangeServer, onRequest: @escaping @Sendable (Int) throws -> Void) {
        self.server = server
        self.onRequest = onRequest
    }

    func readsDevice(for cursor: String?) -> Bool { false }
    func countsOn(from former: String, in epoch: String) -> Bool { true }

    func exchange(
        _ request: SyncRequest, unanswered: [SyncMutation], after former: String?
    ) async throws -> GatewayAnswer {
        try onRequest(
            requests.withLock { count in
                count += 1
                return count
            })
        return GatewayAnswer(response: try server.exchange(request))
    }
}

extension RecordWriter {
    /// Marks everything as sent without an answer, so that what follows is no part of it.
    fileprivate func markSent() throws {
        try store.markSending(store.fetchMutations(.unsent).map(\.id))
    }
}
