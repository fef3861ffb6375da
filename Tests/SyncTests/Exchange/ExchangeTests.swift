import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

@Suite("An exchange")
struct ExchangeTests {
    private let server = ExchangeServer()

    @Test("sends a type and its events with one request, and the other device has them after one of its own")
    func oneRequestEach() async throws {
        let (a, b) = (ExchangingDevice(server, named: 1), ExchangingDevice(server, named: 2))
        try await a.sync()
        try await b.sync()
        try a.write { writer in
            try writer.create(makeEventType(id: testId(1), name: "coffee"))
            try writer.create(makeEvent(id: testId(2), eventTypeId: testId(1)))
        }
        let before = server.requests.count
        try await a.sync()
        #expect(server.requests.count == before + 1)
        try await b.sync()
        #expect(server.requests.count == before + 2)
        #expect(try b.all(Event.self) == a.all(Event.self))
        #expect(try b.all(EventType.self).map(\.name) == ["coffee"])
        #expect(try a.mutations([.queued, .sending, .parked]).isEmpty)
    }

    @Test("merges different properties of one event, key by key, on both devices, and lists nothing")
    func propertiesMerge() async throws {
        let (a, b) = (ExchangingDevice(server, named: 1), ExchangingDevice(server, named: 2))
        try a.write { writer in
            try writer.create(makeEventType(id: testId(1)))
            try writer.create(makeEvent(id: testId(2), eventTypeId: testId(1)))
        }
        try await a.sync()
        try await b.sync()
        var onA = try #require(try a.find(Event.self, testId(2)))
        onA.properties["size"] = PropertyValue(type: .text, value: .string("big"))
        var onB = try #require(try b.find(Event.self, testId(2)))
        onB.properties["taste"] = PropertyValue(type: .text, value: .string("good"))
        try a.write { [onA] in try $0.update(onA) }
        try b.write { [onB] in try $0.update(onB) }
        try await a.sync()
        try await b.sync()
        try await a.sync()
        for device in [a, b] {
            #expect(try device.find(Event.self, testId(2))?.properties.keys.sorted() == ["size", "taste"])
            #expect(try device.conflicts.isEmpty)
        }
    }

    @Test("hides the children of a deleted type, and shows them when the deletion is dropped")
    func childrenComeBack() async throws {
        let device = ExchangingDevice(server)
        try device.write { writer in
            try writer.create(makeEventType(id: testId(1)))
            try writer.create(makeEvent(id: testId(2), eventTypeId: testId(1)))
        }
        try await device.sync()
        try device.write { _ = try $0.create(makeEvent(id: testId(3), eventTypeId: testId(1))) }
        let deletion = try #require(try device.write { try $0.delete(EventType.self, id: testId(1)) })
        #expect(try device.all(Event.self).isEmpty)
        try device.write { writer in
            let copy = try writer.replica.load(EventType.self, testId(1))
            var record = copy.record
            _ = record.drop(deletion.clientRequestId)
            try writer.replica.save(copy, as: record, settled: { _ in .dropped })
        }
        #expect(try device.all(Event.self).map(\.id) == [testId(2), testId(3)])
        try await device.sync()
        #expect(server.document(.event, testId(3)) != nil)
    }
}
