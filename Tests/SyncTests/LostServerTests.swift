import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("What stands before a server and has lost it")
struct LostServerTests {
    private let device = Device()

    /// All that the API has; the health check is beside it, and may go another way.
    private static let routes = MockOperation.allCases.filter { $0 != .checkHealth }

    private func answerAll(of network: MockNetworkClient? = nil, _ answer: MockAnswer?) async {
        for route in Self.routes { await (network ?? device.network).always(answer, for: route) }
        // So a client tells that one record is not there.
        if answer != nil { await (network ?? device.network).always(.respond(.null), for: .get) }
    }

    @Test("refuses nothing, and deletes nothing", arguments: [403, 404, 405])
    func everything(status: Int) async throws {
        let (edited, deleted) = (try await device.logCoffee(notes: "old"), try await device.logCoffee())
        _ = await device.engine.performSync()
        try await device.edit(edited.id) { $0.notes = "new" }
        try await device.engine.delete(Event.self, id: deleted.id)
        let made = [try await device.logCoffee(), try await device.logCoffee()]
        let waiting = try device.mutations([.queued]).map(\.clientRequestId)
        await answerAll(.fail(APIError.http(status: status, problem: ProblemDetails(status: status))))
        for _ in 0..<2 {
            let report = await device.engine.performSync()
            #expect(report.failure == .unreachable && report.parked == 0 && report.pending == waiting.count)
        }
        #expect(try device.mutations([.queued, .sending]).map(\.clientRequestId) == waiting)
        await answerAll(nil)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        let there = try await device.network.records(Event.self)
        #expect(Set(there.map(\.id)) == Set([edited.id] + made.map(\.id)))
        #expect(there.first { $0.id == edited.id }?.entity.notes == "new")
        #expect(try await device.engine.conflicts() == [])
    }

    @Test("deletes nothing, where a deletion is all that waits")
    func deletion() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        await answerAll(.fail(APIError.http(status: 404, problem: ProblemDetails(status: 404))))
        let report = await device.engine.performSync()
        #expect(report.pending == 1 && report.error?.contains("API") == true)
        await answerAll(nil)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.records(Event.self) == [])
    }

    @Test("is told from a record that is not found, with one look for all of a cycle")
    func oneLook() async throws {
        let events = [try await device.logCoffee(), try await device.logCoffee()]
        _ = await device.engine.performSync()
        for event in events { try await device.engine.delete(Event.self, id: event.id) }
        let missing = APIError.http(status: 404, problem: ProblemDetails(status: 404))
        await device.network.always(.fail(missing), for: .delete)
        let before = await device.network.callCount(.getLatestCursor)
        #expect(await device.engine.performSync().pending == 0)
        #expect(await device.network.callCount(.getLatestCursor) == before + 1)
    }

    @Test("deletes nothing where the deletion itself meets another failure", arguments: [500, 502])
    func failureBefore(status: Int) async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        await answerAll(.fail(APIError.http(status: 404, problem: ProblemDetails(status: 404))))
        await device.network.always(
            .fail(APIError.http(status: status, problem: ProblemDetails(status: status))), for: .delete)
        let report = await device.engine.performSync()
        #expect(report.failure == .unreachable && report.pending == 1)
        #expect(await device.network.callCount(.get) == 1)
        await answerAll(nil)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.records(Event.self) == [])
    }

    @Test("hears of few of many batches")
    func manyBatches() async throws {
        let device = Device { $0.batchSize = 10 }
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        try await device.engine.perform { writes in
            for _ in 0..<300 { try writes.create(makeEvent(eventTypeId: device.coffee.id)) }
        }
        await answerAll(of: device.network, .fail(APIError.http(status: 404, problem: ProblemDetails(status: 404))))
        let before = await device.network.calls.count
        #expect(await device.engine.performSync().pending == 300)
        #expect(await device.network.calls.count - before < 15)
        await answerAll(of: device.network, nil)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.records(Event.self).count == 300)
    }

    @Test("is no server that lets nobody read its newest place: what it takes goes, and what it refuses is parked")
    func refusedCursor() async throws {
        let event = try await device.logCoffee(notes: "old")
        _ = await device.engine.performSync()
        let forbidden = APIError.http(status: 403, problem: ProblemDetails(status: 403))
        await device.network.always(.fail(forbidden), for: .getLatestCursor)
        await device.network.enqueue(.fail(forbidden), for: .update)
        try await device.logCoffee(notes: "new")
        try await device.edit(event.id) { $0.notes = "not allowed" }
        let report = await device.engine.performSync()
        #expect(report.pushed == 1 && report.parked == 1 && report.failure == nil)
        await device.network.enqueue(.fail(forbidden), for: .update)
        try await device.engine.retryMutation(id: try #require(try device.mutations([.parked]).first).id)
        #expect(await device.engine.performSync().pending == 1)
        #expect(await device.engine.performSync().pending == 0)
    }
}
