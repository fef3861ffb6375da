import Testing
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Servers that send fewer records than they are asked for, or a part of a list that they are said to send whole: what
/// comes short is no end.
@Suite("Lists of which a server sends a part")
struct ShortPageTests {
    private let network = MockNetworkClient(capabilities: [
        .event: RouteCapabilities(listing: .paged(limit: 10), batchLimit: 500),
        .eventType: RouteCapabilities(listing: .whole),
        .propertyDefinition: RouteCapabilities(listing: .perParent(.eventType)),
    ])

    /// A device that learns nothing of what a listing left out by reading a part of the feed again.
    private func makeDevice(_ network: MockNetworkClient) -> Device {
        Device(network) { $0.feedOverlap = 0 }
    }

    private func fill(types: Int = 1, definitions: Int = 0, events: Int = 0) async throws {
        for type in 0..<types {
            let eventType = makeEventType(name: "type \(type)")
            try await network.put(eventType)
            for number in 0..<definitions {
                try await network.put(makePropertyDefinition(eventTypeId: eventType.id, key: "key\(number)"))
            }
            for number in 0..<events {
                let moment = ManualWallClock.defaultStart.advanced(bySeconds: Double(-number))
                try await network.put(makeEvent(eventTypeId: eventType.id, timestamp: moment))
            }
        }
    }

    @Test("are read to their end, and a full resync takes nothing away", arguments: [1, 2, 3, 7])
    func capped(_ cap: Int) async throws {
        try await fill(types: 8, definitions: 5, events: 4)
        await network.capLists(at: cap)
        let device = makeDevice(network)
        for isFirst in [true, false] {
            let report = isFirst ? await device.engine.performSync() : await device.engine.forceFullResync()
            #expect(report.failure == nil && report.bootstrapped, "\(report.error ?? "")")
            #expect(try device.store().count(EventType.self) == 8)
            #expect(try device.store().count(PropertyDefinition.self) == 40)
            #expect(try device.store().count(Event.self) == 32)
        }
    }

    @Test("are taken for whole where the client says that it fills its pages")
    func believed() async throws {
        let network = MockNetworkClient(capabilities: [
            .event: RouteCapabilities(listing: .paged(limit: 10), fillsPages: true)
        ])
        let coffee = makeEventType(name: "coffee")
        try await network.put(coffee)
        for _ in 0..<7 { try await network.put(makeEvent(eventTypeId: coffee.id)) }
        await network.capLists(at: 3)
        let device = makeDevice(network)
        _ = await device.engine.performSync()
        #expect(try device.store().count(Event.self) == 3)
        #expect(await network.callCount(.list, .event) == 1)
    }

    @Test("are no difference to a comparison with the server")
    func audit() async throws {
        try await fill(types: 4, events: 4)
        let device = makeDevice(network)
        _ = await device.engine.performSync()
        await network.capLists(at: 3)
        let audit = await device.engine.audit(repairing: true)
        #expect(audit.kinds.allSatisfy { $0.differences.isEmpty })
        #expect(try device.store().count(Event.self) == 16)
    }

    @Test("have all events, for who asks for them by name")
    func byName() async throws {
        try await fill(types: 1, events: 7)
        await network.capLists(at: 3)
        #expect(Set(try await network.getAllEvents(batchSize: 50)) == Set(try await network.events))
    }

    @Test("have the record that a new one duplicates, behind their first page")
    func twinBehind() async throws {
        try await fill(types: 8)
        await network.capLists(at: 3)
        let device = makeDevice(network)
        let twin = try #require(try await network.eventTypes.map(\.entity).max { $0.id < $1.id })
        try await device.engine.create(makeEventType(name: twin.name))
        let report = await device.engine.performSync()
        #expect(report.parked == 0 && report.pending == 0)
        #expect(try device.store().count(EventType.self) == 8)
    }

    @Test("are asked for once where they are empty, and once more where they are not")
    func requests() async throws {
        try await network.put(makeEventType(name: "coffee"))
        let device = makeDevice(network)
        _ = await device.engine.performSync()
        #expect(await network.callCount(.list, .event) == 1)
        #expect(await network.callCount(.list, .propertyDefinition) == 1)
        #expect(await network.callCount(.list, .eventType) == 2)
        // Its client knows that it is whole.
        #expect(await network.callCount(.list, .geofence) == 1)
    }

    @Test("are whole where the server answers the same to every offset, without an error", arguments: [1, 2, 5])
    func offsetIgnored(_ count: Int) async throws {
        try await fill(types: count, events: 2)
        let types = try await network.list(EventType.self, ListRequest(limit: .max))
        let events = try await network.list(Event.self, ListRequest(limit: 9))
        await network.reset()
        await network.always(.respond(try json(types.records)), for: .list, .eventType)
        await network.always(.respond(try json(Array(events.records.prefix(4)))), for: .list, .event)
        let device = makeDevice(network)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.bootstrapped, "\(report.error ?? "")")
        #expect(try device.store().count(EventType.self) == count)
        #expect(try device.store().count(Event.self) == min(4, count * 2))
        #expect(await network.callCount(.list, .eventType) == 2)
        #expect(await network.callCount(.list, .event) <= 3)
    }

    @Test("are whole where the server refuses to pass over a part of them")
    func offsetRefused() async throws {
        try await fill(types: 3, definitions: 2)
        await network.beforeEachCall { call in
            guard let list = call.list, call.entityType != .event, list.offset > 0 else { return }
            throw APIError.http(status: 400, problem: ProblemDetails(detail: "what is an offset?"))
        }
        let device = makeDevice(network)
        let report = await device.engine.performSync()
        #expect(report.failure == nil, "\(report.error ?? "")")
        #expect(try device.store().count(EventType.self) == 3)
        #expect(try device.store().count(PropertyDefinition.self) == 6)
    }

    @Test("may end with what is no record, which is put aside once", arguments: [EntityType.eventType, .event])
    func unusableAtTheEnd(_ type: EntityType) async throws {
        let types = [makeEventType(name: "coffee"), makeEventType(name: "tea")]
        for type in types { try await network.put(type) }
        let records: [JSONValue] =
            type == .event
            ? try json(types.map { makeEvent(eventTypeId: $0.id) }).arrayValue : try json(types).arrayValue
        let elements = records + [["id": "x", "name": 5]]
        // As a server that knows offsets: the whole, and then what stands behind the offset.
        await network.enqueue(.respond(.array(elements)), for: .list, type)
        await network.enqueue(.respond(.array(Array(elements.suffix(1)))), for: .list, type)
        await network.always(.fail(APIError.malformedResponse("asked for too often")), for: .list, type)
        let device = makeDevice(network)
        let report = await device.engine.performSync()
        #expect(report.failure == nil && report.quarantined == 1, "\(report.error ?? "")")
    }

    private func json(_ records: some Encodable) throws -> JSONValue {
        try WireCoding.decode(JSONValue.self, from: WireCoding.encode(records))
    }
}

extension JSONValue {
    fileprivate var arrayValue: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
}
