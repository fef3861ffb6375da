import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Each request waits at a gate until the test opens it.
@Suite("Callers who come while a sync is running", .timeLimit(.minutes(2)))
struct CallerTests {
    private let device = Device()
    private let started = AsyncStream.makeStream(of: Void.self)
    private let gate = AsyncStream.makeStream(of: Void.self)

    private func holdRequests() async {
        let (signal, gate) = (started.continuation, gate.stream)
        await device.network.beforeEachCall { _ in
            signal.yield()
            for await _ in gate { break }
        }
    }

    private func nextRequest() async {
        for await _ in started.stream { break }
    }

    /// Logs something and asks for it to be synced; returns when the caller waits.
    private func logAndSync() async throws -> Task<SyncReport, Never> {
        let engine = device.engine
        let waiting = await engine.waitingCallers
        try await device.logCoffee()
        let sync = Task { await engine.performSync() }
        while await engine.waitingCallers == waiting { await Task.yield() }
        return sync
    }

    @Test("share its result, and work queued meanwhile goes too")
    func shared() async throws {
        await device.sync()
        await holdRequests()
        let (engine, before) = (device.engine, device.server.requests.count)
        async let first = engine.performSync()
        await nextRequest()
        let (second, third) = (try await logAndSync(), try await logAndSync())
        await device.network.beforeEachCall(nil)
        gate.continuation.yield()
        let reports = await [first, second.value, third.value]
        #expect(Set(reports).count == 1)
        #expect(reports[0].pending == 0 && reports[0].pushed == 3)
        #expect(device.server.requests.count == before + 2)
    }

    @Test("find their work sent, however many cycles the first caller has run already")
    func workOfTheLast() async throws {
        await device.sync()
        await holdRequests()
        let engine = device.engine
        let first = Task { await engine.performSync() }
        var later: [Task<SyncReport, Never>] = []
        for _ in 1...3 {
            await nextRequest()
            later.append(try await logAndSync())
            if later.count == 3 { await device.network.beforeEachCall(nil) }
            gate.continuation.yield()
        }
        #expect(await first.value.failure == nil)
        for sync in later { #expect(await sync.value.failure == nil) }
        #expect(await later.last?.value.pending == 0)
    }

    @Test("are let go at once when they are cancelled, and take over where the first is")
    func cancelled() async throws {
        await device.sync()
        await holdRequests()
        let engine = device.engine
        let first = Task { await engine.performSync() }
        await nextRequest()
        let (second, third) = (try await logAndSync(), try await logAndSync())
        second.cancel()
        #expect(await second.value.failure == .cancelled)
        await device.network.beforeEachCall(nil)
        first.cancel()
        gate.continuation.yield()
        #expect(await first.value.failure == .cancelled)
        let report = await third.value
        #expect(report.failure == nil && report.pending == 0)
    }
}
