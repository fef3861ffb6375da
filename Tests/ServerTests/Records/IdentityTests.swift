import Foundation
import HTTPTypes
import Testing
import TrendyDomain
import TrendyServer
import TrendyTestSupport

@Suite("An id in capitals")
struct IdentityTests {
    private static let type = "0190a000-0000-7abc-8def-00000000000a"
    private static let event = "0190a000-0000-7abc-8def-00000000000b"

    @Test("is the same record, in the body, in references and in the path")
    func sameRecord() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let capitals = EventType(id: Self.type.uppercased(), name: "coffee")
            let made = try await ann.send(.post, "/event-types", encoding: capitals)
            #expect(made.status == 201 && made["id"] == .string(Self.type))
            #expect(try await ann.send(.post, "/event-types", encoding: capitals).status == 200)
            let event = Event(
                id: Self.event.uppercased(), eventTypeId: Self.type.uppercased(),
                timestamp: Timestamp(milliseconds: 1_700_000_000_000))
            let answer = try await ann.send(.post, "/events", encoding: event)
            #expect(answer.status == 201 && answer["event_type_id"] == .string(Self.type))
            let path = "/events/" + Self.event.uppercased()
            #expect(try await ann.send(.get, path)["id"] == .string(Self.event))
            #expect(try await ann.send(.put, path, #"{"id":"\#(Self.event.uppercased())","notes":"n"}"#).status == 200)
            #expect(try await ann.send(.get, "/events/" + Self.event.replacing("-", with: "%2D")).status == 200)
            let property = #"{"id":"\#(id(9))","event_type_id":"\#(Self.type)","key":"k","property_type":"text"}"#
            let properties = "/event-types/\(Self.type.uppercased())/properties"
            #expect(try await ann.send(.post, properties, property).status == 201)
            #expect(try await ann.send(.get, properties).array.count == 1)
            #expect(try await ann.send(.delete, "/event-types/" + Self.type.uppercased()).status == 204)
            #expect(try await ann.send(.get, "/events").array == [])
        }
    }

    @Test("does not take over another user's record")
    func foreign() async throws {
        try await TestServer().test { api in
            let ann = try await api.signedUp("ann@example.org")
            let bob = try await api.signedUp("bob@example.org")
            _ = try await ann.send(.post, "/event-types", encoding: EventType(id: Self.type, name: "coffee"))
            let taken = try await bob.send(
                .post, "/event-types", encoding: EventType(id: Self.type.uppercased(), name: "tea"))
            #expect(taken.status == 404)
            #expect(try await bob.send(.get, "/event-types").array == [])
        }
    }

    @Test("of a sample that is blank does not make two events one")
    func blankSample() throws {
        let world = try ServerWorld()
        _ = try world.create(EventType.sample())
        for number in [2, 3] as [UInt64] {
            var event = Event.sample(number)
            event.sourceType = .healthKit
            event.healthKitSampleId = number == 2 ? "" : " "
            #expect(try world.create(event).outcome == .created)
        }
        #expect(try world.list(.event).count == 2)
    }
}
