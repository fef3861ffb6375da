// The network methods that the project was asked for by name, over the generic ones.

// MARK: Event types

extension NetworkClientProtocol {
    /// All event types.
    public func getEventTypes() async throws -> [APIEventType] {
        try await listWhole(EventType.self)
    }

    /// Makes an event type, without protection against a repeated request.
    public func createEventType(_ request: CreateEventTypeRequest) async throws -> APIEventType {
        try await create(request, idempotencyKey: nil)
    }

    /// Makes an event type; the same key again makes no second one.
    public func createEventTypeWithIdempotency(
        _ request: CreateEventTypeRequest, idempotencyKey: String
    ) async throws -> APIEventType {
        try await create(request, idempotencyKey: idempotencyKey)
    }

    /// Changes the fields of an event type that the request names.
    public func updateEventType(id: String, _ request: UpdateEventTypeRequest) async throws -> APIEventType {
        try await update(EventType.self, id: id, request, idempotencyKey: nil)
    }

    /// Deletes an event type.
    public func deleteEventType(id: String) async throws {
        try await delete(EventType.self, id: id, idempotencyKey: nil)
    }
}

// MARK: Events

extension NetworkClientProtocol {
    /// A page of the events.
    public func getEvents(limit: Int, offset: Int) async throws -> [APIEvent] {
        try await list(Event.self, ListRequest(limit: limit, offset: offset)).records
    }

    /// All events, fetched in pages of `batchSize` until one brings nothing new.
    public func getAllEvents(batchSize: Int) async throws -> [APIEvent] {
        var events: [APIEvent] = []
        var seen: Set<JSONValue> = []
        var offset = 0
        while true {
            let page = try await list(Event.self, ListRequest(limit: batchSize, offset: offset))
            let known = seen.count
            events += page.records.filter { seen.insert(.string($0.id)).inserted }
            seen.formUnion(page.undecodable)
            offset += page.count
            // A page that is shorter than asked for is no end: servers have limits of their own.
            if seen.count == known { return events }
        }
    }

    /// Makes an event, without protection against a repeated request.
    public func createEvent(_ request: CreateEventRequest) async throws -> APIEvent {
        try await create(request, idempotencyKey: nil)
    }

    /// Makes an event; the same key again makes no second one.
    public func createEventWithIdempotency(
        _ request: CreateEventRequest, idempotencyKey: String
    ) async throws -> APIEvent {
        try await create(request, idempotencyKey: idempotencyKey)
    }

    /// Makes many events in one request, and says which of them were refused.
    public func createEventsBatch(_ events: [CreateEventRequest]) async throws -> BatchCreateEventsResponse {
        try await createBatch(events, idempotencyKey: nil)
    }

    /// Changes the fields of an event that the request names.
    public func updateEvent(id: String, _ request: UpdateEventRequest) async throws -> APIEvent {
        try await update(Event.self, id: id, request, idempotencyKey: nil)
    }

    /// Deletes an event.
    public func deleteEvent(id: String) async throws {
        try await delete(Event.self, id: id, idempotencyKey: nil)
    }
}

// MARK: Geofences

extension NetworkClientProtocol {
    /// All geofences, or the active ones.
    public func getGeofences(activeOnly: Bool) async throws -> [APIGeofence] {
        try await listWhole(Geofence.self, activeOnly: activeOnly)
    }

    /// Makes a geofence, without protection against a repeated request.
    public func createGeofence(_ request: CreateGeofenceRequest) async throws -> APIGeofence {
        try await create(request, idempotencyKey: nil)
    }

    /// Makes a geofence; the same key again makes no second one.
    public func createGeofenceWithIdempotency(
        _ request: CreateGeofenceRequest, idempotencyKey: String
    ) async throws -> APIGeofence {
        try await create(request, idempotencyKey: idempotencyKey)
    }

    /// Changes the fields of a geofence that the request names.
    public func updateGeofence(id: String, _ request: UpdateGeofenceRequest) async throws -> APIGeofence {
        try await update(Geofence.self, id: id, request, idempotencyKey: nil)
    }

    /// Deletes a geofence.
    public func deleteGeofence(id: String) async throws {
        try await delete(Geofence.self, id: id, idempotencyKey: nil)
    }
}

// MARK: Property definitions

extension NetworkClientProtocol {
    /// The property definitions of an event type.
    public func getPropertyDefinitions(eventTypeId: String) async throws -> [APIPropertyDefinition] {
        try await listWhole(PropertyDefinition.self, parentId: eventTypeId)
    }

    /// Makes a property definition for an event type, whatever type the request names.
    public func createPropertyDefinition(
        eventTypeId: String, _ request: CreatePropertyDefinitionRequest
    ) async throws -> APIPropertyDefinition {
        var request = request
        request.entity.eventTypeId = eventTypeId
        return try await create(request, idempotencyKey: nil)
    }

    /// Makes a property definition; the same key again makes no second one.
    public func createPropertyDefinitionWithIdempotency(
        _ request: CreatePropertyDefinitionRequest, idempotencyKey: String
    ) async throws -> APIPropertyDefinition {
        try await create(request, idempotencyKey: idempotencyKey)
    }

    /// Changes the fields of a property definition that the request names.
    public func updatePropertyDefinition(
        id: String, _ request: UpdatePropertyDefinitionRequest
    ) async throws -> APIPropertyDefinition {
        try await update(PropertyDefinition.self, id: id, request, idempotencyKey: nil)
    }

    /// Deletes a property definition.
    public func deletePropertyDefinition(id: String) async throws {
        try await delete(PropertyDefinition.self, id: id, idempotencyKey: nil)
    }
}

extension NetworkClientProtocol {
    private func listWhole<Entity: SyncEntity>(
        _ type: Entity.Type, parentId: String? = nil, activeOnly: Bool = false
    ) async throws -> [Remote<Entity>] {
        let request = ListRequest(limit: .max, parentId: parentId, activeOnly: activeOnly)
        return try await list(type, request).records
    }
}
