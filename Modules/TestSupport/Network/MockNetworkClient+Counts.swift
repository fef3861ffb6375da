public import TrendyDomain

// The spy: what was called, how often, and with which keys.

extension MockNetworkClient {
    /// The calls of an operation, of one kind where that is given.
    public func calls(_ operation: MockOperation, _ entityType: EntityType? = nil) -> [MockCall] {
        calls.filter { $0.operation == operation && (entityType == nil || $0.entityType == entityType) }
    }

    /// How many calls of an operation there were, of one kind where that is given.
    public func callCount(_ operation: MockOperation, _ entityType: EntityType? = nil) -> Int {
        calls(operation, entityType).count
    }

    /// The idempotency keys in the order of the calls that carried one.
    public var idempotencyKeys: [String] { calls.compactMap(\.idempotencyKey) }

    /// The idempotency key of the last call that carried one.
    public var lastIdempotencyKey: String? { idempotencyKeys.last }

    /// The idempotency keys of the calls of an operation, of one kind where that is given; nil for a call without one.
    public func idempotencyKeys(_ operation: MockOperation, _ entityType: EntityType? = nil) -> [String?] {
        calls(operation, entityType).map(\.idempotencyKey)
    }

    /// The bodies of the calls that made one record of a kind by itself, in order.
    public func createRequests<Entity: SyncEntity>(_ type: Entity.Type) throws -> [CreateRequest<Entity>] {
        try calls(.create, type.entityType).compactMap(\.body).map {
            try WireCoding.decode(CreateRequest<Entity>.self, from: WireCoding.encode($0))
        }
    }

    /// The bodies of the calls that made several records of a kind at once, in order.
    public func createBatches<Entity: SyncEntity>(_ type: Entity.Type) throws -> [[CreateRequest<Entity>]] {
        try calls(.createBatch, type.entityType).compactMap(\.body).map {
            try WireCoding.decode([CreateRequest<Entity>].self, from: WireCoding.encode($0))
        }
    }

    /// The bodies of the calls that changed a record of a kind, in order.
    public func patches<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Patch<Entity>] {
        try calls(.update, type.entityType).compactMap(\.body).map {
            try WireCoding.decode(Patch<Entity>.self, from: WireCoding.encode($0))
        }
    }

    /// The ids of the records of a kind whose deletion was asked for, in order.
    public func deletedIds(_ entityType: EntityType) -> [String] {
        calls(.delete, entityType).flatMap(\.entityIds)
    }

    /// The bodies of the calls that made an event by itself.
    public var createEventRequests: [CreateEventRequest] { get throws { try createRequests(Event.self) } }

    /// The body of the last call that made an event by itself.
    public var lastCreateEventRequest: CreateEventRequest? { get throws { try createEventRequests.last } }

    /// After which changes the feed was asked for, in the order of the calls.
    public var getChangesSinceCursors: [Int64] { calls(.getChanges).compactMap(\.cursor) }

    // MARK: Counters by the seeds' names

    /// True where an event was made, by itself.
    public var createEventCalled: Bool { createEventCallCount > 0 }
    public var checkHealthCallCount: Int { callCount(.checkHealth) }
    public var getChangesCallCount: Int { callCount(.getChanges) }
    public var getLatestCursorCallCount: Int { callCount(.getLatestCursor) }
    public var createEventsBatchCallCount: Int { callCount(.createBatch, .event) }

    public var getEventsCallCount: Int { callCount(.list, .event) }
    public var createEventCallCount: Int { callCount(.create, .event) }
    public var updateEventCallCount: Int { callCount(.update, .event) }
    public var deleteEventCallCount: Int { callCount(.delete, .event) }

    public var getEventTypesCallCount: Int { callCount(.list, .eventType) }
    public var createEventTypeCallCount: Int { callCount(.create, .eventType) }
    public var updateEventTypeCallCount: Int { callCount(.update, .eventType) }
    public var deleteEventTypeCallCount: Int { callCount(.delete, .eventType) }

    public var getGeofencesCallCount: Int { callCount(.list, .geofence) }
    public var createGeofenceCallCount: Int { callCount(.create, .geofence) }
    public var updateGeofenceCallCount: Int { callCount(.update, .geofence) }
    public var deleteGeofenceCallCount: Int { callCount(.delete, .geofence) }

    public var getPropertyDefinitionsCallCount: Int { callCount(.list, .propertyDefinition) }
    public var createPropertyDefinitionCallCount: Int { callCount(.create, .propertyDefinition) }
    public var updatePropertyDefinitionCallCount: Int { callCount(.update, .propertyDefinition) }
    public var deletePropertyDefinitionCallCount: Int { callCount(.delete, .propertyDefinition) }
}
