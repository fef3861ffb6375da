import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("What the server says elsewhere")
struct RefusedFeedTests {
    private let device = Device()

    @Test("a feed that is refused for good holds back no batch whose answer was lost, and no full resync")
    func lostBatch() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        for notes in ["one", "two"] { _ = try await device.logCoffee(notes: notes) }
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(try device.mutations([.sending]).count == 2)
        let compacted = APIError.http(status: 410, problem: ProblemDetails(status: 410))
        await device.network.always(.fail(compacted), for: .getChanges)
        let refused = await device.engine.performSync()
        #expect(refused.failure == .feedRefused && refused.pending == 0)
        await device.network.always(nil, for: .getChanges)
        #expect(await device.engine.forceFullResync().failure == nil)
        #expect(try await device.network.records(Event.self).count == 2)
    }

    @Test("a create that is missing there waits until the feed can be asked again, and is not made twice")
    func missingCreate() async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        for notes in ["one", "two"] { _ = try await device.logCoffee(notes: notes) }
        await device.network.enqueue(.fail(APIError.timeout), for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        let failing = APIError.http(status: 500, problem: ProblemDetails(status: 500))
        await device.network.enqueue(.fail(failing), times: 2, for: .createBatch)
        let compacted = APIError.http(status: 410, problem: ProblemDetails(status: 410))
        await device.network.always(.fail(compacted), for: .getChanges)
        #expect(await device.engine.performSync().failure == .feedRefused)
        await device.network.always(nil, for: .getChanges)
        _ = await device.engine.forceFullResync()
        for _ in 0..<2 { _ = await device.engine.performSync() }
        #expect(try device.mutations([.queued, .sending, .parked]) == [])
        #expect(try await device.network.records(Event.self).count == 2)
    }

    @Test("an edit that finds no record waits where the server cannot say whether it is there")
    func unsureEdit() async throws {
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "second" }
        let missing = APIError.http(status: 404, problem: ProblemDetails(status: 404))
        let failing = APIError.http(status: 503, problem: ProblemDetails(status: 503))
        await device.network.enqueue(.fail(missing), for: .update)
        await device.network.enqueue(.fail(failing), for: .get, .event)
        let report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 1)
        #expect(await device.engine.performSync().pending == 0)
        #expect(try await device.network.record(Event.self, id: event.id)?.entity.notes == "second")
    }
}
