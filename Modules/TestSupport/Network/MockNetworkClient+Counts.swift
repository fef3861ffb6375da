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
    /// How often ``NetworkClientProtocol/checkHealth()`` was called.
    public var checkHealthCallCount: Int { callCount(.checkHealth) }
    /// How many pages of the feed were asked for.
    public var getChangesCallCount: Int { callCount(.getChanges) }
    /// How often the feed's end was asked for.
    public var getLatestCursorCallCount: Int { callCount(.getLatestCursor) }
    /// How many batches of events were sent.
    public var createEventsBatchCallCount: Int { callCount(.createBatch, .event) }

    /// How many lists of events were asked for.
    public var getEventsCallCount: Int { callCount(.list, .event) }
    /// How many events were sent one by one.
    public var createEventCallCount: Int { callCount(.create, .event) }
    /// How many changes of events were sent.
    public var updateEventCallCount: Int { callCount(.update, .event) }
    /// How many deletions of events were sent.
    public var deleteEventCallCount: Int { callCount(.delete, .event) }

    /// How many lists of event types were asked for.
    public var getEventTypesCallCount: Int { callCount(.list, .eventType) }
    /// How many event types were sent one by one.
    public var createEventTypeCallCount: Int { callCount(.create, .eventType) }
    /// How many changes of event types were sent.
    public var updateEventTypeCallCount: Int { callCount(.update, .eventType) }
    /// How many deletions of event types were sent.
    public var deleteEventTypeCallCount: Int { callCount(.delete, .eventType) }

    /// How many lists of geofences were asked for.
    public var getGeofencesCallCount: Int { callCount(.list, .geofence) }
    /// How many geofences were sent one by one.
    public var createGeofenceCallCount: Int { callCount(.create, .geofence) }
    /// How many changes of geofences were sent.
    public var updateGeofenceCallCount: Int { callCount(.update, .geofence) }
    /// How many deletions of geofences were sent.
    public var deleteGeofenceCallCount: Int { callCount(.delete, .geofence) }

    /// How many lists of property definitions were asked for.
    public var getPropertyDefinitionsCallCount: Int { callCount(.list, .propertyDefinition) }
    /// How many property definitions were sent one by one.
    public var createPropertyDefinitionCallCount: Int { callCount(.create, .propertyDefinition) }
    /// How many changes of property definitions were sent.
    public var updatePropertyDefinitionCallCount: Int { callCount(.update, .propertyDefinition) }
    /// How many deletions of property definitions were sent.
    public var deletePropertyDefinitionCallCount: Int { callCount(.delete, .propertyDefinition) }
}
