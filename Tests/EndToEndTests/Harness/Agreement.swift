import Testing
import TrendyDomain

/// Both devices hold equal records of every kind, all of them synced, with nothing left to send.
func expectAgreement(
    _ one: Device, _ other: Device, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
    for device in [one, other] {
        let status = try await device.status()
        #expect(status.pending == 0 && status.parked == 0, sourceLocation: sourceLocation)
    }
    #expect(try await records(one) == (try await records(other)), sourceLocation: sourceLocation)
}

/// Every record of a device, in the order of the ids.
struct Records: Equatable {
    var events: [LocalRecord<Event>]
    var types: [LocalRecord<EventType>]
    var places: [LocalRecord<Geofence>]
    var properties: [LocalRecord<PropertyDefinition>]
}

/// Reads every record of a device.
func records(_ device: Device) async throws -> Records {
    let types = try await device.types().sorted { $0.id < $1.id }
    var properties: [LocalRecord<PropertyDefinition>] = []
    for type in types {
        properties += try await device.json([LocalRecord<PropertyDefinition>].self, "prop", "list", type.entity.name)
    }
    return Records(
        events: try await device.events().sorted { $0.id < $1.id },
        types: types,
        places: try await device.json([LocalRecord<Geofence>].self, "place", "list").sorted { $0.id < $1.id },
        properties: properties.sorted { $0.id < $1.id })
}
