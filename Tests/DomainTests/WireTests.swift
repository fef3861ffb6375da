import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("what goes over the wire")
struct WireTests {
    private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
        try WireCoding.decode(Value.self, from: WireCoding.encode(value))
    }

    @Test("any JSON comes back equal, and always as the same bytes")
    func json() throws {
        let values = RandomValues(seed: 1)
        for _ in 0..<2_000 {
            let value = values.json()
            let bytes = try WireCoding.encode(value)
            #expect(try WireCoding.decode(JSONValue.self, from: bytes) == value)
            #expect(try WireCoding.encode(WireCoding.decode(JSONValue.self, from: bytes)) == bytes)
        }
    }

    @Test("kinds of JSON are told apart")
    func jsonKinds() throws {
        let text =
            #"{"a":true,"b":1,"c":1.5,"d":"1","e":null,"f":[0],"g":9223372036854775807,"h":18446744073709551615}"#
        let value = try WireCoding.decode(JSONValue.self, from: Data(text.utf8)).objectValue
        #expect(value?["a"] == true && value?["b"] == 1 && value?["c"] == 1.5 && value?["d"] == "1")
        #expect(value?["e"] == .null && value?["f"] == [0] && value?["g"] == .integer(.max))
        #expect(value?["h"]?.doubleValue == 0x1p64)
    }

    @Test("records of every kind come back equal")
    func records() throws {
        let values = RandomValues(seed: 2)
        for _ in 0..<500 {
            let (event, definition, place) = (values.event(), values.definition(), values.geofence())
            #expect(try roundTrip(event) == event)
            #expect(try roundTrip(definition) == definition)
            #expect(try roundTrip(place) == place)
            let remote = Remote(
                event, server: ServerFields(userId: "u", createdAt: values.moment(), updatedAt: values.moment()))
            #expect(try roundTrip(remote) == remote)
            for status in SyncStatus.allCases {
                let local = LocalRecord(event, server: remote.server, syncStatus: status)
                #expect(try roundTrip(local) == local)
            }
        }
    }

    @Test("a record's JSON has no member that is not among its fields")
    func fieldNames() throws {
        let full = makeEvent(
            notes: "n", endDate: ManualWallClock.defaultStart, externalId: "e", originalTitle: "o", geofenceId: "g",
            locationLatitude: 1, locationLongitude: 2, locationName: "l", healthKitSampleId: "h",
            healthKitCategory: "c", properties: ["p": .boolean(true)])
        #expect(Set(try WireCoding.fields(of: full).keys) == Set(Event.fields))
        #expect(Set(try WireCoding.fields(of: makeEventType()).keys) == Set(EventType.fields))
        let place = makeGeofence(eventTypeEntryId: "a", eventTypeExitId: "b", iosRegionIdentifier: "c")
        #expect(Set(try WireCoding.fields(of: place).keys) == Set(Geofence.fields))
        let definition = makePropertyDefinition(options: ["a"], defaultValue: 1)
        #expect(Set(try WireCoding.fields(of: definition).keys) == Set(PropertyDefinition.fields))
    }

    @Test("a record of the server is one flat object; what it adds may be absent or null")
    func remoteFlat() throws {
        let text = ##"{"id":"x","name":"n","color":"#000000","icon":"i","user_id":"u","created_at":null,"new":[]}"##
        let remote = try WireCoding.decode(APIEventType.self, from: Data(text.utf8))
        #expect(remote.name == "n" && remote.userId == "u" && remote.server.createdAt == nil)
        let fields = try WireCoding.fields(of: remote)
        #expect(Set(fields.keys) == ["id", "name", "color", "icon", "user_id"])
    }

    @Test("a property of a kind that is not known here is kept as it came")
    func unknownProperties() throws {
        let text =
            #"{"a":{"type":"mood","value":{"x":[1,null]}},"b":{"type":"number","value":"three"},"c":{"type":"date","value":"2026-01-01T00:00:00Z"},"d":{"type":"text"}}"#
        let properties = try WireCoding.decode([String: PropertyValue].self, from: Data(text.utf8))
        #expect(properties["a"] == .other(type: PropertyType(rawValue: "mood"), value: ["x": [1, nil]]))
        #expect(properties["b"] == .other(type: .number, value: "three"))
        #expect(properties["c"] == .other(type: .date, value: "2026-01-01T00:00:00Z"))
        let again = try WireCoding.decode(JSONValue.self, from: WireCoding.encode(properties))
        var expected = try WireCoding.decode(JSONValue.self, from: Data(text.utf8)).objectValue
        expected?["d"] = ["type": "text", "value": nil]
        #expect(again.objectValue == expected)
    }

    @Test(
        "a malformed entry of the feed keeps its place and its raw text",
        arguments: [
            #"{"id":5}"#, #"{"id":5,"entity_type":7,"operation":"create","entity_id":"x"}"#,
            #"{"id":5,"entity_type":"event","operation":"create","entity_id":null}"#,
            #"{"id":5,"entity_type":"event","operation":"create","entity_id":"x","created_at":"yesterday"}"#,
        ])
    func malformedEntries(_ text: String) throws {
        let entry = try WireCoding.decode(ChangeEntry.self, from: Data(text.utf8))
        #expect(entry.id == 5 && entry.entityType == "" && entry.entityId == "")
        #expect(entry.data == (try WireCoding.decode(JSONValue.self, from: Data(text.utf8))))
    }

    @Test("an entry of a kind or with an operation that is not known here is read whole")
    func unknownEntries() throws {
        let text = #"{"id":6,"entity_type":"mood","operation":"archive","entity_id":"x","data":{"a":1}}"#
        let entry = try WireCoding.decode(ChangeEntry.self, from: Data(text.utf8))
        #expect(entry.entityType == "mood" && entry.operation.rawValue == "archive" && entry.data == ["a": 1])
    }

    @Test(
        "an entry whose place cannot be read has none, and does not take the page along",
        arguments: [
            "{}", "null", "5", #""text""#, "[]", #"{"id":"6","entity_type":"event"}"#, #"{"id":1.5}"#, #"{"id":null}"#,
        ])
    func entryWithoutPlace(_ text: String) throws {
        let whole = #"{"changes":[{"id":1},\#(text),{"id":3}],"next_cursor":3,"has_more":false}"#
        let page = try WireCoding.decode(ChangeFeedResponse.self, from: Data(whole.utf8))
        #expect(page.changes.map(\.id) == [1, 0, 3])
        #expect(page.changes[1].data == (try WireCoding.decode(JSONValue.self, from: Data(text.utf8))))
    }

    @Test("a mutation comes back equal in every state")
    func mutations() throws {
        let reason = ParkReason(
            code: .rejected, message: "m", fields: [FieldError(field: "f", message: "is wrong", code: "invalid")])
        let states: [MutationState] = [
            .queued, .sending, .accepted, .merged(into: nil), .merged(into: 4), .parked(reason), .dropped,
        ]
        for state in states {
            let mutation = PendingMutation(
                id: 3, clientRequestId: "k", entityType: "mood", operation: .update, entityId: "x",
                payload: Data([1, 2]), createdAt: ManualWallClock.defaultStart, attempts: 2,
                lastError: "e", lastAttemptAt: .latest, state: state, settledAt: .earliest)
            #expect(try roundTrip(mutation) == mutation)
        }
    }

    @Test("the answer to a batch is read without its counts, and with null for empty")
    func batchAnswer() throws {
        let text = #"{"created":null,"errors":[{"index":1,"message":"m"}]}"#
        let answer = try WireCoding.decode(BatchCreateEventsResponse.self, from: Data(text.utf8))
        #expect(answer.created.isEmpty && answer.total == 1 && answer.failed == 1 && answer.success == 0)
    }
}

@Suite("Complaints about fields")
struct ComplaintTests {
    @Test("are told once each, in their order, with how often they were made")
    func complaints() {
        let taken = FieldError(field: "event_type_id", message: "is taken", code: "duplicate")
        let errors = [taken, FieldError(field: "notes", message: "is too long")] + Array(repeating: taken, count: 299)
        #expect(errors.complaints == ["event_type_id is taken (300 times)", "notes is too long"])
        let error = APIError.http(status: 409, problem: ProblemDetails(status: 409, detail: "no", errors: errors))
        #expect(
            error.description == "the server answered 409: no; event_type_id is taken (300 times); notes is too long")
    }
}
