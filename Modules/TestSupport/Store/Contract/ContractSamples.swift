import Foundation
import TrendyDomain

/// Records that fill every field of their kind, and ones that fill none that may be empty.
enum ContractSamples {
    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "019ab000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    static let server = ServerFields(
        createdAt: Timestamp(milliseconds: 1_763_600_000_123), updatedAt: Timestamp(milliseconds: 1_763_600_000_456))

    /// Fields that no version knows, of every JSON type.
    static let unknown: [String: JSONValue] = [
        "mood": "good", "": "a\0b", "weight": 1.5, "count": .integer(.max), "flag": false, "none": .null,
        "list": [1, nil, ["deep": true]],
    ]

    static let text = "Zoë's \"coffee\" ☕️ 100%_\\ 'quoted'\n第二行\tend"

    static let fullEvent = Event(
        id: id(1), eventTypeId: id(900), timestamp: Timestamp(milliseconds: 1_763_611_111_111), notes: text,
        isAllDay: true, endDate: Timestamp(milliseconds: 1_763_622_222_222), sourceType: .imported,
        externalId: "import:1", originalTitle: "Title", geofenceId: id(901), locationLatitude: -33.8688,
        locationLongitude: 151.2093, locationName: "Sydney", healthKitSampleId: "sample-1",
        healthKitCategory: "workout", properties: properties)
    static let minimalEvent = Event(id: id(2), eventTypeId: id(900), timestamp: Timestamp(milliseconds: 0))

    static let properties: [String: PropertyValue] = [
        "text": .text(text), "number": .number(0.1), "flag": .boolean(false),
        "date": .date(Timestamp(milliseconds: 1)), "choice": .select("a"), "length": .duration(90),
        "link": .url("https://example.org/?a=b&c=d"), "mail": .email("a@example.org"), "": .text(""),
        "future": .other(type: PropertyType(rawValue: "colour"), value: ["r": 1, "g": [nil, true, 2.5]]),
    ]

    static let fullEventType = EventType(id: id(3), name: text, color: "#ABCDEF", icon: "☕️")
    static let minimalEventType = EventType(id: id(4), name: "")

    static let fullGeofence = Geofence(
        id: id(5), name: text, latitude: 89.999_999_999, longitude: -179.1, radius: 10_000, eventTypeEntryId: id(900),
        eventTypeExitId: id(901), isActive: false, notifyOnEntry: true, notifyOnExit: true,
        iosRegionIdentifier: "region")
    static let minimalGeofence = Geofence(id: id(6), name: "", latitude: 0, longitude: 0)

    static let fullDefinition = PropertyDefinition(
        id: id(7), eventTypeId: id(900), key: "size", label: text, propertyType: .select, options: ["a", "b", text],
        defaultValue: "a", displayOrder: 7)
    static let minimalDefinition = PropertyDefinition(
        id: id(8), eventTypeId: id(900), key: "k", label: "", propertyType: .text)

    static let fullItem = ContractItem(
        id: id(9), name: text, ownerId: id(900), amount: .max, ratio: -1e-300, isDone: true, madeAt: .latest,
        tags: ["", text], sizes: ["a": 1, "b": .min])
    static let minimalItem = ContractItem(id: id(10), name: "", amount: .min, madeAt: .earliest)

    static func mutation(
        _ entityId: String, _ entityType: EntityType = .event, _ operation: MutationOperation = .create,
        state: MutationState = .queued, settledAt: Timestamp? = nil
    ) -> PendingMutation {
        PendingMutation(
            clientRequestId: "key-\(entityId)-\(operation)", entityType: entityType, operation: operation,
            entityId: entityId, createdAt: Timestamp(milliseconds: 5), state: state, settledAt: settledAt)
    }

    /// A mutation with a value in every field, in the given state.
    static func fullMutation(_ state: MutationState) -> PendingMutation {
        PendingMutation(
            clientRequestId: "key", entityType: "contract_item", operation: .update, entityId: id(1),
            payload: Data(#"{"notes":"\u0000"}"#.utf8), createdAt: Timestamp(milliseconds: 1), attempts: 3,
            lastError: text, lastAttemptAt: Timestamp(milliseconds: 2), state: state,
            settledAt: Timestamp(milliseconds: 3), isAdopted: true)
    }
}

/// A document that only the contract knows.
struct ContractDocument: StoredDocument, Hashable {
    static let collection = "contract"
    var id: String
    var text: String
    var numbers: [Int] = []
}
