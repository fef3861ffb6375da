import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

@Suite("An answer that is about another record than what was sent")
struct ForeignAnswerTests {
    private let device = Device()
    private var network: MockNetworkClient { device.network }

    /// An event that is here and on the server, and that no answer below is about.
    private func bystander(_ notes: String = "bystander") async throws -> Event {
        let event = try await device.logCoffee(notes: notes)
        _ = await device.engine.performSync()
        device.wallClock.advance(bySeconds: 120)
        return event
    }

    /// What the server would answer about a record.
    private func answer(about id: String) async throws -> JSONValue {
        let there = try #require(try await network.record(Event.self, id: id))
        return .object(try WireCoding.fields(of: there.entity))
    }

    private func expectUntouched(_ bystander: Event) async throws {
        #expect(try device.event(bystander.id)?.entity == bystander)
        #expect(try await network.record(Event.self, id: bystander.id)?.entity == bystander)
    }

    @Test("settles no edit, and changes nothing of that other record", arguments: [true, false])
    func update(isHere: Bool) async throws {
        let third = try await bystander()
        let event = try await device.logCoffee(notes: "first")
        _ = await device.engine.performSync()
        try await device.edit(event.id) { $0.notes = "edited" }
        var foreign = try #require(try await answer(about: event.id).objectValue)
        foreign["notes"] = "edited"
        foreign["id"] = .string(isHere ? third.id : freshId())
        await network.enqueue(.respond(.object(foreign)), for: .update)
        let report = await device.engine.performSync()
        #expect(report.pushed == 0 && report.pending == 1 && report.parked == 0)
        try await expectUntouched(third)
        #expect(try device.event(event.id)?.entity.notes == "edited")
        #expect(try device.store().count(Event.self) == 2)
        let next = await device.engine.performSync()
        #expect(next.failure == nil && next.pending == 0)
        #expect(try await network.record(Event.self, id: event.id)?.entity.notes == "edited")
        try await expectUntouched(third)
    }

    @Test("settles no creation where it repeats what was said of one that was given up here")
    func givenUp() async throws {
        _ = try await bystander()
        let givenUp = try await device.logCoffee(notes: "given up")
        let event = try await device.logCoffee(notes: "new")
        await network.enqueue(.serveThenFail(APIError.timeout), for: .createBatch)
        _ = await device.engine.performSync()
        let create = try #require(try device.mutations([.sending]).first { $0.entityId == givenUp.id })
        let repeated: JSONValue = ["created": .array([try await answer(about: givenUp.id)]), "errors": [], "total": 2]
        try await device.engine.dropMutation(id: create.id)
        await network.enqueue(.respond(repeated), for: .createBatch)
        for _ in 0..<2 { #expect(await device.engine.performSync().failure == nil) }
        #expect(try device.event(event.id)?.entity == event)
        #expect(try await network.record(Event.self, id: event.id)?.entity == event)
        #expect(try device.event(givenUp.id) == nil)
        #expect(try await network.record(Event.self, id: givenUp.id) == nil)
    }

    @Test("settles no creation where the device knows that the two differ", arguments: [true, false])
    func create(inBatch: Bool) async throws {
        let third = try await bystander()
        let event = try await device.logCoffee(notes: "new")
        let foreign = try await answer(about: third.id)
        if inBatch {
            let batch: JSONValue = ["created": .array([foreign]), "errors": [], "total": 1, "success": 1, "failed": 0]
            await network.enqueue(.respond(batch), for: .createBatch)
        } else {
            let refusal = APIError.http(status: 400, problem: ProblemDetails(status: 400))
            await network.enqueue(.fail(refusal), for: .createBatch)
            await network.enqueue(.respond(foreign), for: .create, .event)
        }
        _ = await device.engine.performSync()
        _ = await device.engine.performSync()
        try await expectUntouched(third)
        #expect(try device.event(event.id)?.entity == event)
        #expect(try await network.record(Event.self, id: event.id)?.entity == event)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
    }

    @Test("settles a creation where both are the same sample, though that one is here already")
    func sample() async throws {
        _ = try await bystander()
        var sample = makeEvent(eventTypeId: device.coffee.id, notes: "from the watch")
        sample.sourceType = .healthKit
        sample.healthKitSampleId = "sample-1"
        let known = sample
        sample.id = freshId()
        sample.notes = "from the phone"
        try await network.put(known)
        _ = await device.engine.performSync()
        #expect(try device.event(known.id) != nil)
        try await device.engine.create(sample)
        _ = await device.engine.performSync()
        #expect(try device.event(sample.id) == nil)
        #expect(try device.event(known.id) != nil)
        #expect(try device.mutations([.queued, .sending, .parked]).isEmpty)
    }

    @Test("tells nothing of a record that is looked for")
    func look() async throws {
        let third = try await bystander()
        let event = try await device.logCoffee(notes: "new")
        let foreign = try await answer(about: third.id)
        let failure = APIError.http(status: 500, problem: ProblemDetails(status: 500))
        await network.enqueue(.fail(failure), times: 2, for: .createBatch)
        await network.always(.fail(failure), for: .create, .event)
        await network.always(.respond(foreign), for: .get, .event)
        _ = await device.engine.performSync()
        try await expectUntouched(third)
        #expect(try device.event(event.id)?.entity == event)
        #expect(try device.mutations([.queued, .sending]).count == 1)
    }
}
