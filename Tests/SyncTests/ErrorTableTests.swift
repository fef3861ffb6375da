import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A row of the error table (Docs/ErrorRecovery.md).
enum ErrorRow: String, CaseIterable, Sendable {
    case rateLimited, rateLimitedFor42, connection, timeout, serverError, conflict, otherRefusal, notFound
    case unauthorized, notAServer, malformed

    var error: APIError {
        switch self {
        case .rateLimited: .rateLimited(retryAfter: nil)
        case .rateLimitedFor42: .rateLimited(retryAfter: 42)
        case .connection: .connection("no route")
        case .timeout: .timeout
        case .serverError: refusal(503)
        case .conflict: refusal(409)
        case .otherRefusal: refusal(422, fields: [FieldError(field: "name", message: "is odd", code: "invalid")])
        case .notFound: refusal(404)
        case .unauthorized: .unauthorized("expired")
        case .notAServer: .notAServer("HTML")
        case .malformed: .malformedResponse("cut off")
        }
    }
}

/// What the table says of a row and a request.
struct ExpectedEnd: Sendable {
    var failure: SyncReport.Failure?
    /// Attempts of each mutation that the request carried.
    var attempts = 0
    var parked: ParkReason.Code?
    var isAccepted = false

    /// The table: every row with every request.
    init(_ row: ErrorRow, _ request: CycleRequest) {
        switch row {
        case .rateLimited, .rateLimitedFor42: failure = .rateLimited
        case .unauthorized: failure = .signedOut
        case .notAServer: failure = .notAServer
        case .connection, .timeout:
            failure = .unreachable
            attempts = request.isPush ? 1 : 0
        case .serverError, .malformed:
            // The cycle goes on with others where the server fails on a mutation.
            attempts = request.isPush ? 1 : 0
            if request == .health { failure = .unreachable }
            if [.list, .latestCursor, .changes].contains(request) {
                failure = row == .malformed ? .protocol : .unreachable
            }
        case .conflict, .otherRefusal, .notFound: refused(row, request)
        }
    }

    private mutating func refused(_ row: ErrorRow, _ request: CycleRequest) {
        switch (row, request) {
        case (_, .health): failure = .notAServer
        case (.notFound, .changes), (.otherRefusal, .changes): failure = .feedRefused
        case (_, .list), (_, .latestCursor), (_, .changes): failure = .protocol
        case (.notFound, .delete): isAccepted = true
        // A deletion makes nothing twice.
        case (.conflict, .create), (.conflict, .batch), (.conflict, .update): parked = .duplicate
        default: parked = .rejected
        }
    }
}

@Suite("The error table")
struct ErrorTableTests {
    @Test(
        "decides attempts, parking and the end of the cycle, and the next cycle recovers",
        arguments: ErrorRow.allCases, CycleRequest.allCases)
    func end(row: ErrorRow, request: CycleRequest) async throws {
        let expected = ExpectedEnd(row, request)
        let device = try await request.device()
        let concerned = try device.open().map(\.id)
        await device.fail(request, with: row.error)
        let report = await device.engine.performSync()
        #expect(report.failure == expected.failure)
        // Where the cycle went on, the report says what the server failed on.
        #expect(report.failing == (expected.failure == nil ? expected.attempts * concerned.count : 0))
        #expect((report.error == nil) == (expected.failure == nil && report.failing == 0))
        for mutation in try device.mutations() where concerned.contains(mutation.id) {
            #expect(mutation.attempts == expected.attempts)
            if let code = expected.parked {
                guard case .parked(let reason) = mutation.state else {
                    Issue.record("\(mutation.state) is not parked")
                    continue
                }
                #expect(reason.code == code)
                #expect(reason.fields.isEmpty == (row != .otherRefusal))
            } else {
                #expect(expected.isAccepted ? mutation.state == .accepted : mutation.state.isUnsent)
            }
        }
        try await recovers(device, parked: expected.parked == nil ? 0 : concerned.count)
    }

    /// With the fault gone, what waits goes through, and what is parked does once it is retried.
    private func recovers(_ device: Device, parked: Int) async throws {
        await device.network.reset()
        device.wallClock.advance(bySeconds: 42)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == parked)
        for mutation in try device.mutations([.parked]) { try await device.engine.retryMutation(id: mutation.id) }
        let last = await device.engine.performSync()
        #expect(last.failure == nil && last.pending == 0 && last.parked == 0)
        let here = try device.store().fetchAllEvents().map(\.id)
        #expect(try await Set(device.network.records(Event.self).map(\.id)).isSuperset(of: here))
    }

    @Test("decides the breaker's counter", arguments: ErrorRow.allCases, CycleRequest.allCases)
    func counter(row: ErrorRow, request: CycleRequest) async throws {
        let device = try await request.device()
        try device.plantRefusals(2)
        await device.fail(request, with: row.error)
        let report = await device.engine.performSync()
        let breaker = try device.breaker()
        switch row {
        case .rateLimited, .rateLimitedFor42:
            #expect(breaker.refusals == 3 && breaker.trips == 1)
            #expect(report.retryAfter == (row == .rateLimited ? 30 : 42))
        case .unauthorized: #expect(breaker.refusals == 2)
        default: #expect(breaker.refusals == 0 && report.retryAfter == nil)
        }
    }

    @Test("a success of the request forgets earlier refusals", arguments: CycleRequest.allCases)
    func success(request: CycleRequest) async throws {
        let device = try await request.device()
        try device.plantRefusals(2)
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.breaker() == CircuitBreaker())
    }
}

@Suite("Silence after too many requests")
struct SilenceTests {
    @Test(
        "begins at the third refusal in a row and grows, whichever request is refused", arguments: CycleRequest.allCases
    )
    func schedule(request: CycleRequest) async throws {
        let device = try await request.device()
        await device.fail(request, with: .rateLimited(retryAfter: nil))
        var pauses: [Double] = []
        for _ in 0..<8 {
            let pause = await device.engine.performSync().retryAfter ?? 0
            pauses.append(pause)
            device.wallClock.advance(bySeconds: pause)
        }
        #expect(pauses == [0, 0, 30, 60, 120, 240, 300, 300])
    }

    @Test("sends nothing, the health check included, also from another process", arguments: CycleRequest.allCases)
    func silence(request: CycleRequest) async throws {
        let device = try await request.device()
        await device.fail(request, with: .rateLimited(retryAfter: 42))
        #expect(await device.engine.performSync().retryAfter == 42)
        let sent = await device.network.calls.count
        device.wallClock.advance(bySeconds: 41.5)
        #expect(await device.engine.performSync().failure == .rateLimited)
        #expect(await device.engine.forceFullResync().failure == .rateLimited)
        let reborn = device.restarted()
        try await reborn.engine.loadInitialState()
        #expect(
            reborn.engine.state == .rateLimited(retryAfter: 0.5, pending: try await reborn.engine.getPendingCount()))
        #expect(await reborn.engine.performSync().failure == .rateLimited)
        #expect(await device.network.calls.count == sent)
        await device.network.reset()
        device.wallClock.advance(bySeconds: 0.5)
        let report = await reborn.engine.performSync()
        #expect(report.failure == nil && report.pending == 0)
    }

    @Test("holds back the request of skipToLatestCursor as well")
    func skipping() async throws {
        let device = try await CycleRequest.changes.device()
        await device.network.enqueue(.fail(APIError.rateLimited(retryAfter: 42)), for: .getChanges)
        _ = await device.engine.performSync()
        let sent = await device.network.calls.count
        await #expect(throws: APIError.self) { try await device.engine.skipToLatestCursor() }
        #expect(await device.network.calls.count == sent)
    }
}

@Suite("Blame")
struct BlameTests {
    /// Fails every request but the health check as an overloaded server does.
    private func overload(_ device: Device) async {
        await device.network.beforeEachCall { call in
            if call.operation != .checkHealth { throw refusal(503) }
        }
    }

    @Test(
        "parks nothing where the server fails on everything, however few changes wait", arguments: CycleRequest.pushes)
    func outage(request: CycleRequest) async throws {
        let device = try await request.device()
        await overload(device)
        for _ in 0..<10 { _ = await device.engine.performSync() }
        let parked = try device.mutations([.parked])
        #expect(parked.isEmpty)
        await device.network.beforeEachCall(nil)
        #expect(await device.engine.performSync().pending == 0)
    }

    @Test(
        "parks nothing where the server fails on every write and answers every look, however few changes wait",
        arguments: [500, 503])
    func writesFail(status: Int) async throws {
        let device = try await CycleRequest.create.device()
        await device.network.beforeEachCall { call in
            if call.operation == .create || call.operation == .createBatch { throw refusal(status) }
        }
        for _ in 0..<10 {
            let report = await device.engine.performSync()
            #expect(report.failure == nil && report.failing == 1 && report.parked == 0)
            #expect(report.error?.contains("failed on 1 change") == true)
            // What nothing else speaks for may be the server's trouble: it is not asked again at once.
            #expect(report.nextAttemptAt != nil)
        }
        await device.network.beforeEachCall(nil)
        let report = await device.engine.performSync()
        #expect(report.pending == 0 && report.failing == 0 && report.error == nil && report.nextAttemptAt == nil)
    }

    @Test("does not count an answer that speaks of the server, where nothing passes beside it")
    func unavailableLater() async throws {
        let device = try await CycleRequest.create.device()
        let other = try await device.engine.create(makeEventType(name: "other")).id
        await device.network.beforeEachCall { call in
            if call.operation == .create && call.entityIds != [other] { throw refusal(503) }
        }
        for _ in 0..<10 { #expect(await device.engine.performSync().parked == 0) }
    }

    @Test("parks the one mutation on which the server fails in five cycles while it takes others")
    func culprit() async throws {
        let device = try await CycleRequest.changes.device()
        let culprit = try await device.engine.create(makeEventType(name: "culprit")).id
        await device.network.beforeEachCall { call in
            if call.operation == .create && call.entityIds == [culprit] { throw refusal(500) }
        }
        for cycle in 1...5 {
            let other = try await device.engine.create(makeEventType(name: "other \(cycle)"))
            let report = await device.engine.performSync()
            #expect(report.failure == nil && report.parked == (cycle == 5 ? 1 : 0))
            #expect(try device.store().find(EventType.self, id: other.id)?.syncStatus == .synced)
        }
        #expect(try device.parkReason(of: culprit)?.code == .blamed)
        #expect(try device.mutations([.parked]).first?.attempts == 5)
    }
}
