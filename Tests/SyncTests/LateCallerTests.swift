import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Each cycle stops in its pull, when its push is over.
@Suite("Callers who come in the pull of a running sync")
struct LateCallerTests {
    private let device = Device()
    private let started = AsyncStream.makeStream(of: Void.self)
    private let gate = AsyncStream.makeStream(of: Void.self)

    private func holdPulls() async {
        let (signal, gate) = (started.continuation, gate.stream)
        await device.network.beforeEachCall { call in
            guard call.operation == .getChanges else { return }
            signal.yield()
            for await _ in gate { break }
        }
    }

    private func nextPull() async {
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

    @Test("find their work sent, however many cycles the first caller has run already", .timeLimit(.minutes(5)))
    func workOfTheLast() async throws {
        // Found by the simulator, seed 219982.
        await holdPulls()
        let engine = device.engine
        let first = Task { await engine.performSync() }
        var later: [Task<SyncReport, Never>] = []
        for _ in 1...3 {
            await nextPull()
            later.append(try await logAndSync())
            if later.count == 3 { await device.network.beforeEachCall(nil) }
            gate.continuation.yield()
        }
        #expect(await first.value.failure == nil)
        for sync in later { #expect(await sync.value.failure == nil) }
        #expect(await later.last?.value.pending == 0)
    }

    @Test("share its result where what waits had its turn after they came", .timeLimit(.minutes(5)))
    func heldBack() async throws {
        // The event waits for its type, which waits for the person.
        let refusal = APIError.http(status: 422, problem: ProblemDetails(status: 422))
        await device.network.enqueue(.fail(refusal), for: .create)
        await holdPulls()
        let engine = device.engine
        let first = Task { await engine.performSync() }
        await nextPull()
        let second = try await logAndSync()
        gate.continuation.yield()
        await nextPull()
        await device.network.beforeEachCall(nil)
        gate.continuation.yield()
        #expect(await first.value == second.value)
        #expect(await second.value.pending == 1)
        #expect(await device.network.callCount(.checkHealth) == 2)
    }
}
