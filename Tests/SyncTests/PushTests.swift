import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("Push")
struct PushTests {
    let device = Device()

    @Test("sends creates in batches of fifty, parents first")
    func batches() async throws {
        try await device.engine.create(device.coffee)
        let events = (0..<120).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        try await device.engine.create(contentsOf: events)
        let report = await device.engine.performSync()
        #expect(report.pushed == 121 && report.pending == 0 && report.failure == nil)
        let batches = await device.network.calls(.createBatch, .event)
        #expect(batches.map(\.entityIds.count).sorted() == [20, 50, 50])
        let order = await device.network.calls.map(\.operation)
        #expect(try #require(order.firstIndex(of: .create)) < (try #require(order.firstIndex(of: .createBatch))))
    }

    @Test("deletes children before their parents")
    func deletionOrder() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.engine.delete(Event.self, id: event.id)
        try await device.engine.delete(EventType.self, id: device.coffee.id)
        _ = await device.engine.performSync()
        #expect(await device.network.calls(.delete).map(\.entityType) == [.event, .eventType])
    }

    @Test("sends a batch whose answer was lost again, the same under the same key")
    func lostAnswer() async throws {
        try await device.engine.create(device.coffee)
        try await device.engine.create(contentsOf: (0..<60).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        await device.network.enqueue(.serveThenFail(APIError.connection("reset")), times: 2, for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        #expect(await device.engine.performSync().failure == nil)
        let calls = await device.network.calls(.createBatch, .event)
        let contents = Dictionary(grouping: calls, by: \.idempotencyKey).mapValues { Set($0.map(\.entityIds)) }
        #expect(contents.values.allSatisfy { $0.count == 1 })
        #expect(calls.count == 5)
        #expect(try await device.network.records(Event.self).count == 61)
        let creations = await device.network.changes.filter { $0.operation == .create && $0.entityType == .event }
        #expect(creations.count == 61)
    }

    @Test("keeps the key of a single mutation over all attempts")
    func keyIsKept() async throws {
        try await device.engine.create(device.coffee)
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .create)
        await device.network.enqueue(.fail(APIError.timeout), for: .create)
        for _ in 0..<3 { _ = await device.engine.performSync() }
        let keys = await device.network.calls(.create).map(\.idempotencyKey)
        #expect(keys.count == 3 && Set(keys).count == 1)
        #expect(try device.mutations([.accepted]).first?.attempts == 2)
    }

    @Test("halves a batch that fails as a whole until the culprit stands alone, and sends the others")
    func splitting() async throws {
        try await device.engine.create(device.coffee)
        let events = (0..<50).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        try await device.engine.create(contentsOf: events)
        let culprit = events[13].id
        await device.network.beforeEachCall { call in
            guard [.create, .createBatch].contains(call.operation), call.entityIds.contains(culprit) else { return }
            throw APIError.http(status: 500, problem: ProblemDetails(detail: "boom"))
        }
        for _ in 0..<4 {
            let report = await device.engine.performSync()
            #expect(report.failure == nil && report.pending == 1)
        }
        #expect(try await device.network.records(Event.self).count == 49)
        #expect(await device.engine.performSync().parked == 1)
        #expect(try device.parkReason(of: culprit)?.code == .blamed)
        #expect(try device.event(culprit)?.syncStatus == .failed)
    }

    @Test("goes on under its own key with a create that its batch did not settle, also when that request is lost")
    func leavesBatchForGood() async throws {
        try await device.engine.create(device.coffee)
        let event = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        let failure = APIError.http(status: 500, problem: ProblemDetails(detail: "boom"))
        await device.network.enqueue(.fail(failure), times: 2, for: .createBatch)
        await device.network.enqueue(.fail(APIError.timeout), for: .create, .event)
        #expect(await device.engine.performSync().failure == .unreachable)
        #expect(await device.engine.performSync().pending == 0)
        #expect(await device.network.callCount(.createBatch) == 2)
        let keys = await device.network.calls(.create, .event).map(\.idempotencyKey)
        #expect(keys.count == 2 && Set(keys).count == 1)
        #expect(try device.event(event.id)?.syncStatus == .synced)
    }

    @Test("does not make again what half of a batch made before the server failed on it")
    func committedHalf() async throws {
        try await device.engine.create(device.coffee)
        let events = (0..<4).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        try await device.engine.create(contentsOf: events)
        let refusal = APIError.http(status: 400, problem: ProblemDetails(detail: "no"))
        let failure = APIError.http(status: 500, problem: ProblemDetails(detail: "boom"))
        await device.network.enqueue(.fail(refusal), for: .createBatch)
        await device.network.enqueue(.serveThenFail(failure), for: .createBatch)
        var theirs = events[0]
        theirs.notes = "edited elsewhere"
        let (network, edited) = (device.network, theirs)
        await network.beforeEachCall { call in
            if call.entityIds == [events[2].id, events[3].id] { _ = try await network.put(edited) }
        }
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
        #expect(await device.network.calls(.create, .event).isEmpty)
        #expect(try await device.network.record(Event.self, id: theirs.id)?.entity == theirs)
    }

    @Test("looks before it makes again what was in a batch that may have arrived, and is refused without a part of it")
    func reducedBatch() async throws {
        let tea = try await device.engine.create(makeEventType(name: "tea"))
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        let (lasting, leaving) = (makeEvent(eventTypeId: device.coffee.id), makeEvent(eventTypeId: tea.id))
        try await device.engine.create(contentsOf: [lasting, leaving])
        await device.network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        #expect(await device.engine.performSync().failure == .unreachable)
        // Others delete the type and the event; the server refuses the key for another body, as it should.
        let network = device.network
        try await network.remove(EventType.self, id: tea.id)
        try await network.remove(Event.self, id: lasting.id)
        try await device.engine.delete(EventType.self, id: tea.id)
        await network.enqueue(.fail(refusal(422)), for: .createBatch)
        _ = await device.engine.performSync()
        #expect(await network.calls(.create, .event).isEmpty)
        #expect(try await network.record(Event.self, id: lasting.id) == nil)
        #expect(try device.event(lasting.id) == nil)
    }

    @Test("gives up early on a server that takes nothing, and hears what others have done all the same")
    func outage() async throws {
        let tea = try await device.network.put(makeEventType(name: "tea"))
        try await device.engine.create(device.coffee)
        try await device.engine.create(contentsOf: (0..<500).map { _ in makeEvent(eventTypeId: device.coffee.id) })
        _ = await device.network.always(
            .fail(APIError.http(status: 503, problem: ProblemDetails(detail: "down"))), for: .createBatch)
        await device.network.always(
            .fail(APIError.http(status: 503, problem: ProblemDetails(detail: "down"))), for: .create, .event)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.failing > 0 && report.error?.contains("down") == true)
        #expect(await device.network.callCount(.createBatch) <= 10 + 20)
        #expect(try device.mutations([.parked]).isEmpty)
        #expect(try device.store().findEventType(id: tea.id) != nil)
    }

    /// A deployed server: two events of one type and time collide, and fail the whole batch that they are in.
    private func refuseCollisions() async {
        let network = device.network
        await network.beforeEachCall { call in
            guard [.create, .createBatch].contains(call.operation), call.entityType == .event else { return }
            let sent: [JSONValue] = if case .array(let batch)? = call.body { batch } else { [call.body ?? .null] }
            let present = try await network.records(Event.self)
            var taken = Set(try present.map { Self.place(try WireCoding.fields(of: $0.entity)) })
            for event in sent where !taken.insert(Self.place(event.objectValue ?? [:])).inserted {
                throw APIError.http(
                    status: call.operation == .create ? 409 : 500, problem: ProblemDetails(detail: "duplicate key"))
            }
        }
    }

    private static func place(_ event: [String: JSONValue]) -> [JSONValue?] {
        [event["event_type_id"], event["timestamp"]]
    }

    @Test(
        "parks events that collide on a deployed server, sends the others, and hears what others have done, in one sync",
        arguments: [8, 300])
    func collisions(count: Int) async throws {
        try await device.engine.create(device.coffee)
        _ = await device.engine.performSync()
        await refuseCollisions()
        let moment = device.wallClock.now()
        let twins = (0..<count).map {
            makeEvent(eventTypeId: device.coffee.id, timestamp: moment, notes: "note \($0)")
        }
        try await device.engine.create(contentsOf: twins)
        let other = makeEvent(eventTypeId: device.coffee.id, timestamp: moment.advanced(bySeconds: 60))
        try await device.engine.create(other)
        let tea = try await device.network.put(makeEventType(name: "tea"))
        #expect(await device.engine.performSync().failure == nil)
        #expect(try device.store().findEventType(id: tea.id) != nil)
        #expect(try device.event(other.id)?.syncStatus == .synced)
        var (parked, syncs) = (0, 0)
        repeat {
            let before = await device.network.calls.count
            let report = await device.engine.performSync()
            #expect(report.failure == nil && report.parked > parked)
            // A limiter of 300 requests a minute has room for everything else.
            #expect(await device.network.calls.count - before < 250)
            (parked, syncs) = (report.parked, syncs + 1)
            device.wallClock.advance(bySeconds: 120)
        } while parked < count - 1 && syncs < 60
        #expect(parked == count - 1)
        #expect(count > 8 || syncs == 1)
    }

    @Test("parks what the server refuses, with its reasons, and lets strangers pass")
    func rejected() async throws {
        try await device.engine.create(device.coffee)
        let tea = makeEventType(name: "tea")
        try await device.engine.create(tea)
        let child = try await device.engine.create(makeEvent(eventTypeId: tea.id))
        let stranger = try await device.engine.create(makeEvent(eventTypeId: device.coffee.id))
        let problem = ProblemDetails(
            detail: "no", errors: [FieldError(field: "name", message: "is not nice", code: "invalid")])
        await device.network.beforeEachCall { call in
            if call.operation == .create && call.entityIds == [tea.id] {
                throw APIError.http(status: 422, problem: problem)
            }
        }
        let report = await device.engine.performSync()
        #expect(report.parked == 1 && report.pending == 1 && report.failure == nil)
        #expect(try device.parkReason(of: tea.id)?.fields.map(\.field) == ["name"])
        #expect(try device.store().findEventType(id: tea.id) == tea)
        #expect(try device.event(stranger.id)?.syncStatus == .synced)
        #expect(try device.event(child.id)?.syncStatus == .pending)
        #expect(await device.network.calls(.createBatch).flatMap(\.entityIds) == [stranger.id])
    }

    @Test("tries a refused record again after it was edited")
    func editAfterRefusal() async throws {
        await device.network.enqueue(
            .fail(APIError.http(status: 400, problem: ProblemDetails(detail: "no"))), for: .create)
        try await device.engine.create(device.coffee)
        #expect(await device.engine.performSync().parked == 1)
        var better = device.coffee
        better.name = "espresso"
        try await device.engine.update(better)
        let report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 0)
        #expect(try await device.network.record(EventType.self, id: better.id)?.name == "espresso")
    }

    @Test("takes a deletion of what is gone as done")
    func deleteGone() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.network.remove(Event.self, id: event.id)
        try await device.engine.delete(Event.self, id: event.id)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.pending == 0 && report.parked == 0)
    }

    @Test("finds out by a look that a server which answers 500 means gone")
    func deployedGone() async throws {
        let event = try await device.logCoffee()
        _ = await device.engine.performSync()
        try await device.network.remove(Event.self, id: event.id)
        try await device.engine.delete(Event.self, id: event.id)
        await device.network.always(
            .fail(APIError.http(status: 500, problem: ProblemDetails(detail: "no rows"))), for: .delete)
        #expect(await device.engine.performSync().pending == 0)
        #expect(await device.network.callCount(.get) == 1)
    }

    @Test("asks singly for what a batch answer refuses or leaves out")
    func partialBatch() async throws {
        try await device.engine.create(device.coffee)
        let events = (0..<3).map { _ in makeEvent(eventTypeId: device.coffee.id) }
        try await device.engine.create(contentsOf: events)
        let created = try WireCoding.fields(of: APIEvent(events[0]))
        await device.network.enqueue(
            .respond(["created": [.object(created)], "errors": [["index": 1, "message": "no"]], "total": 3]),
            for: .createBatch)
        let report = await device.engine.performSync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(await device.network.calls(.create, .event).map(\.entityIds) == [[events[1].id], [events[2].id]])
    }

    @Test("follows a server that keeps the record under another id")
    func anotherId() async throws {
        try await device.engine.create(device.coffee)
        var sample = makeEvent(eventTypeId: device.coffee.id)
        sample.sourceType = .healthKit
        sample.healthKitSampleId = "sample-1"
        var existing = sample
        existing.id = freshId()
        try await device.network.put(device.coffee)
        try await device.network.put(existing)
        try await device.engine.create(sample)
        let remote = try WireCoding.fields(of: APIEvent(existing))
        await device.network.enqueue(.respond(["created": [.object(remote)], "total": 1]), for: .createBatch)
        let report = await device.engine.performSync()
        #expect(report.pending == 0 && report.parked == 0)
        #expect(try device.store().fetchAllEvents().map(\.id) == [existing.id])
    }
}
