import Synchronization
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("A device that follows its server", .timeLimit(.minutes(5)))
struct FollowTests {
    private let device = Device()

    private var server: ExchangeServer { device.server }
    private var heads: MockHeads { device.network.heads }
    private var head: ServerHead { ServerHead(epoch: server.epoch, head: server.head) }

    /// Follows while the body runs, which begins when the device has synced once and looks again.
    private func following(
        doubting doubt: @escaping @Sendable () -> Void = {}, _ body: () async throws -> Void
    ) async throws {
        let task = Task { [engine = device.engine] in try await engine.follow(doubting: doubt) }
        await until { server.requests.count >= 1 }
        await rest()
        try await body()
        task.cancel()
        try await task.value
    }

    /// Waits until it is so. The suite's time limit ends it where it never is.
    private func until(_ condition: () async throws -> Bool) async rethrows {
        while try await !condition() { await Task.yield() }
    }

    /// Waits until the device waits for its next look, and the listener for its stream or its next one.
    private func rest() async { await device.clock.waitForSleepers(2) }

    /// Lets time pass, and the device look as often as it does meanwhile.
    private func pass(seconds: Double) async {
        let step = 0.25
        for _ in 0..<Int(seconds / step) {
            await rest()
            device.wallClock.advance(bySeconds: step)
            device.clock.advance(by: .seconds(step))
        }
        await rest()
    }

    /// Something that another device does.
    @discardableResult
    private func changeElsewhere(_ number: UInt64) throws -> EventType {
        let type = makeEventType(id: testId(number), name: "type \(number)")
        try server.create(type)
        return type
    }

    @Test("syncs at once, and every minute where nothing is told")
    func polls() async throws {
        try await following {
            let type = try changeElsewhere(900)
            await pass(seconds: 59)
            #expect(server.requests.count == 1)
            await pass(seconds: 1.5)
            #expect(server.requests.count == 2)
            #expect(try device.find(EventType.self, type.id) == type)
        }
    }

    @Test("sends what is written here without waiting")
    func localWrites() async throws {
        try await following {
            let event = try await device.logCoffee()
            try await until { try server.event(event.id) != nil }
        }
    }

    @Test("sends what another process has queued, at the next look")
    func otherProcess() async throws {
        try await following {
            let event = try await device.restarted().logCoffee()
            await pass(seconds: 0.5)
            #expect(try server.event(event.id) != nil)
        }
    }

    @Test("receives what a hint is about without waiting")
    func hints() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            let type = try changeElsewhere(900)
            heads.tell(.head(head))
            try await until { try device.find(EventType.self, type.id) == type }
        }
    }

    @Test("asks for nothing where a hint is late, repeated, or about its own change")
    func knownHeads() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            let before = head
            let event = try await device.logCoffee()
            try await until { try server.event(event.id) != nil }
            await pass(seconds: 1)
            let count = server.requests.count
            for _ in 0..<3 {
                heads.tell(.head(before))
                heads.tell(.head(head))
                await pass(seconds: 1)
            }
            #expect(server.requests.count == count)
        }
    }

    @Test("asks once where a hint is wrong, and never believes it")
    func wrongHints() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            for _ in 0..<5 {
                heads.tell(.head(ServerHead(epoch: server.epoch, head: 999)))
                await pass(seconds: 1)
            }
            #expect(server.requests.count == 2)
            let type = try changeElsewhere(900)
            heads.tell(.head(head))
            try await until { try device.find(EventType.self, type.id) == type }
        }
    }

    @Test("hears of another history")
    func otherHistory() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            heads.tell(.head(ServerHead(epoch: "another", head: 0)))
            await until { server.requests.count == 2 }
        }
    }

    @Test("loses nothing by a hint that is missed")
    func missedHint() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            let type = try changeElsewhere(900)
            for _ in 0..<4 {
                heads.tell(.heartbeat)
                await pass(seconds: 15.5)
            }
            #expect(try device.find(EventType.self, type.id) == type)
        }
    }

    @Test("syncs again for a hint that comes while it syncs")
    func hintDuringSync() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            let (server, heads) = (server, heads)
            await device.whileSending {
                // It is answered as it was before, because the request is under way.
                try server.create(makeEventType(id: testId(901), name: "meanwhile"))
                heads.tell(.head(ServerHead(epoch: server.epoch, head: server.head + 2)))
            }
            let event = try await device.logCoffee()
            try await until { try server.event(event.id) != nil }
            try await until { try device.find(EventType.self, testId(901)) != nil }
        }
    }

    @Test("looks at once whether a server is gone that is heard no more, and not where its stream is only cut off")
    func goneServer() async throws {
        heads.serve(.head(head))
        try await following {
            await heads.waitForStream()
            await pass(seconds: 12)
            let count = await device.network.calls.count
            heads.end()
            await pass(seconds: 3)
            #expect(await device.network.calls.count == count)
            heads.refuse(.connection("gone"))
            heads.end()
            await pass(seconds: 3)
            #expect(await device.network.calls.count == count + 1)
            // Once is enough: from then on the poll and its pauses decide.
            await pass(seconds: 20)
            #expect(await device.network.calls.count == count + 1)
        }
    }

    @Test("sends nothing while the server has asked for a pause, whatever is told")
    func breaker() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: 30)), for: .exchange)
            let event = try await device.logCoffee()
            await pass(seconds: 1)
            let calls = await device.network.calls.count
            try changeElsewhere(900)
            heads.tell(.head(head))
            heads.end()
            await pass(seconds: 28)
            #expect(await device.network.calls.count == calls)
            #expect(heads.requestCount == 1)
            // What nobody asked for comes up to a quarter later.
            await pass(seconds: 10)
            #expect(try server.event(event.id) != nil)
            #expect(try device.find(EventType.self, testId(900)) != nil)
        }
    }

    @Test("does not wait after lost connections once the server is heard again, unless it has asked for that")
    func backoff() async throws {
        let asked = APIError.http(status: 503, problem: ProblemDetails(status: 503, retryAfter: 3_600))
        for (error, isLifted) in [(APIError.connection("gone"), true), (asked, false)] {
            let test = FollowTests()
            let (network, heads, server) = (test.device.network, test.heads, test.server)
            heads.refuse(.connection("gone"))
            try await test.following {
                await network.always(.fail(error), for: .exchange)
                let event = try await test.device.logCoffee()
                // Long enough for pauses that are longer than those between two streams.
                await test.pass(seconds: 400)
                await network.always(nil, for: .exchange)
                heads.serve(.head(test.head))
                let held = try #require(try test.device.engine.nextAttemptTime())
                let count = heads.requestCount
                while heads.requestCount == count { await test.pass(seconds: 0.25) }
                #expect(test.device.wallClock.now() < held)
                if isLifted {
                    try await test.until { try server.event(event.id) != nil }
                } else {
                    await test.pass(seconds: 60)
                    #expect(try server.event(event.id) == nil)
                }
            }
        }
    }

    @Test("opens the stream again where it is silent for 45 seconds, and not while it hears heartbeats")
    func silence() async throws {
        heads.serve(.head(ServerHead(epoch: server.epoch, head: 0)))
        try await following {
            await heads.waitForStream()
            for _ in 0..<10 {
                heads.tell(.heartbeat)
                await pass(seconds: 20)
            }
            #expect(heads.requestCount == 1)
            await pass(seconds: 23)
            #expect(heads.requestCount == 1)
            await pass(seconds: 6)
            #expect(heads.requestCount == 2)
        }
    }

    @Test("doubts the server at most 30 seconds after it fell silent, and looks at once whether it answers")
    func lateHeartbeat() async throws {
        final class Doubts: Sendable {
            let count = Mutex(0)
            var made: Int { count.withLock { $0 } }
        }
        let doubts = Doubts()
        heads.serve(.head(head))
        try await following(doubting: { doubts.count.withLock { $0 += 1 } }) {
            await heads.waitForStream()
            heads.tell(.head(head))
            await pass(seconds: 20)
            heads.tell(.heartbeat)
            await pass(seconds: 21)
            let count = server.requests.count
            #expect(doubts.made == 0)
            await pass(seconds: 9.5)
            #expect(doubts.made == 1 && server.requests.count == count + 1)
            // Once for each silence.
            await pass(seconds: 5)
            #expect(doubts.made == 1 && heads.requestCount == 1)
        }
    }

    @Test("hears its server from the first head of a stream until that ends or a heartbeat is late")
    func hearing() async throws {
        let engine = device.engine
        #expect(!engine.isHearingServer)
        heads.serve()
        try await following {
            await heads.waitForStream()
            // A heartbeat does not stand for the head.
            heads.tell(.heartbeat)
            #expect(!engine.isHearingServer)
            heads.tell(.head(head))
            #expect(engine.isHearingServer)
            await pass(seconds: 24)
            #expect(engine.isHearingServer)
            await pass(seconds: 6.5)
            #expect(!engine.isHearingServer)
            heads.tell(.heartbeat)
            #expect(engine.isHearingServer)
            heads.end()
            await until { !engine.isHearingServer }
            await pass(seconds: 2)
            await heads.waitForStream()
            #expect(!engine.isHearingServer)
            heads.tell(.head(head))
            #expect(engine.isHearingServer)
        }
        #expect(!engine.isHearingServer)
    }

    @Test("does not hear a server without the route")
    func hearingNothing() async throws {
        try await following {
            await pass(seconds: 61)
            #expect(server.requests.count == 2)
            #expect(!device.engine.isHearingServer)
        }
    }

    @Test("does without a stream whose head does not come, and tries another later")
    func heldBack() async throws {
        heads.serve()
        try await following {
            await heads.waitForStream()
            heads.tell(.heartbeat)
            await pass(seconds: 11)
            try changeElsewhere(900)
            await pass(seconds: 14)
            #expect(heads.requestCount == 1)
            await pass(seconds: 40)
            #expect(heads.requestCount == 2)
            #expect(try device.find(EventType.self, testId(900)) != nil)
        }
    }

    @Test("asks a server without the route again within ten minutes, and not in the next five")
    func noRoute() async throws {
        try await following {
            await pass(seconds: 299)
            #expect(heads.requestCount == 1)
            await pass(seconds: 302)
            #expect(heads.requestCount == 2)
            #expect(server.requests.count >= 10)
        }
    }

    @Test("ends where the sync that it was given throws, and where the look at the store does")
    func ends() async throws {
        struct Over: Error {}
        await #expect(throws: Over.self) { try await device.engine.follow(syncing: { throw Over() }) }
        await #expect(throws: Over.self) { try await device.engine.follow(look: { throw Over() }) }
        #expect(server.requests.isEmpty)
    }
}
