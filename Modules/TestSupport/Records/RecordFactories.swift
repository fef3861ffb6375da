public import TrendyDomain

// Valid records of every kind, of which a test names only what it is about.

private let freshIds = SequentialIdentifiers(series: 0xFAB)

/// A valid id that no other call in this process gives.
public func freshId() -> String { freshIds.makeId() }

/// A valid id, the same for the same number.
public func testId(_ number: UInt64) -> String { SequentialIdentifiers.id(number) }

/// An event that is valid as it stands; its id is fresh.
public func makeEvent(
    id: String = freshId(), eventTypeId: String = testId(1), timestamp: Timestamp = ManualWallClock.defaultStart,
    notes: String? = nil, isAllDay: Bool = false, endDate: Timestamp? = nil, sourceType: SourceType = .manual,
    externalId: String? = nil, originalTitle: String? = nil, geofenceId: String? = nil,
    locationLatitude: Double? = nil, locationLongitude: Double? = nil, locationName: String? = nil,
    healthKitSampleId: String? = nil, healthKitCategory: String? = nil, properties: [String: PropertyValue] = [:]
) -> Event {
    Event(
        id: id, eventTypeId: eventTypeId, timestamp: timestamp, notes: notes, isAllDay: isAllDay, endDate: endDate,
        sourceType: sourceType, externalId: externalId, originalTitle: originalTitle, geofenceId: geofenceId,
        locationLatitude: locationLatitude, locationLongitude: locationLongitude, locationName: locationName,
        healthKitSampleId: healthKitSampleId, healthKitCategory: healthKitCategory, properties: properties)
}

/// An event type that is valid as it stands; its id is fresh, and so is its name where none is given.
public func makeEventType(
    id: String = freshId(), name: String? = nil, color: String = EventType.defaultColor,
    icon: String = EventType.defaultIcon
) -> EventType {
    EventType(id: id, name: name ?? "type \(id.suffix(6))", color: color, icon: icon)
}

/// A place that is valid as it stands; its id is fresh, and so is its name where none is given.
public func makeGeofence(
    id: String = freshId(), name: String? = nil, latitude: Double = 52.52, longitude: Double = 13.405,
    radius: Double = Geofence.defaultRadius, eventTypeEntryId: String? = nil, eventTypeExitId: String? = nil,
    isActive: Bool = true, notifyOnEntry: Bool = false, notifyOnExit: Bool = false,
    iosRegionIdentifier: String? = nil
) -> Geofence {
    Geofence(
        id: id, name: name ?? "place \(id.suffix(6))", latitude: latitude, longitude: longitude, radius: radius,
        eventTypeEntryId: eventTypeEntryId, eventTypeExitId: eventTypeExitId, isActive: isActive,
        notifyOnEntry: notifyOnEntry, notifyOnExit: notifyOnExit, iosRegionIdentifier: iosRegionIdentifier)
}

/// A property definition that is valid as it stands; its id is fresh, and so is its key where none is given.
public func makePropertyDefinition(
    id: String = freshId(), eventTypeId: String = testId(1), key: String? = nil, label: String = "Amount",
    propertyType: PropertyType = .number, options: [String]? = nil, defaultValue: JSONValue? = nil,
    displayOrder: Int = 0
) -> PropertyDefinition {
    PropertyDefinition(
        id: id, eventTypeId: eventTypeId, key: key ?? "key_\(id.suffix(6))", label: label,
        propertyType: propertyType, options: options, defaultValue: defaultValue, displayOrder: displayOrder)
}

/// A mutation as it stands in the queue; its idempotency key is fresh.
public func makeMutation(
    id: Int64 = 0, clientRequestId: String = freshId(), entityType: EntityType = .event,
    operation: MutationOperation = .create, entityId: String = freshId(),
    createdAt: Timestamp = ManualWallClock.defaultStart, state: MutationState = .queued
) -> PendingMutation {
    PendingMutation(
        id: id, clientRequestId: clientRequestId, entityType: entityType, operation: operation, entityId: entityId,
        createdAt: createdAt, state: state)
}
