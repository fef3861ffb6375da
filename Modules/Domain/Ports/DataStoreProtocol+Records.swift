// The store methods that the project was asked for by name, over the generic ones.

extension DataStoreProtocol {
    // MARK: Upsert

    /// Changes the event of that id, or makes one, and puts it in.
    @discardableResult
    public func upsertEvent(id: String, configure: (inout Event) -> Void) throws -> Event {
        try upsert(Event(id: id, eventTypeId: "", timestamp: Timestamp(milliseconds: 0)), configure)
    }

    /// Changes the event type of that id, or makes one, and puts it in.
    @discardableResult
    public func upsertEventType(id: String, configure: (inout EventType) -> Void) throws -> EventType {
        try upsert(EventType(id: id, name: ""), configure)
    }

    /// Changes the geofence of that id, or makes one, and puts it in.
    @discardableResult
    public func upsertGeofence(id: String, configure: (inout Geofence) -> Void) throws -> Geofence {
        try upsert(Geofence(id: id, name: "", latitude: 0, longitude: 0), configure)
    }

    /// Changes the property definition of that id, or makes one for the event type, and puts it in.
    @discardableResult
    public func upsertPropertyDefinition(
        id: String, eventTypeId: String, configure: (inout PropertyDefinition) -> Void
    ) throws -> PropertyDefinition {
        let blank = PropertyDefinition(id: id, eventTypeId: eventTypeId, key: "", label: "", propertyType: .text)
        return try upsert(blank, configure)
    }

    // MARK: Delete

    /// Removes the event with this id, where there is one.
    public func deleteEvent(id: String) throws { try delete(Event.self, id: id) }
    /// Removes the event type with this id, where there is one.
    public func deleteEventType(id: String) throws { try delete(EventType.self, id: id) }
    /// Removes the geofence with this id, where there is one.
    public func deleteGeofence(id: String) throws { try delete(Geofence.self, id: id) }
    /// Removes the property definition with this id, where there is one.
    public func deletePropertyDefinition(id: String) throws { try delete(PropertyDefinition.self, id: id) }

    /// Removes every event.
    public func deleteAllEvents() throws { try deleteAll(Event.self) }
    /// Removes every event type.
    public func deleteAllEventTypes() throws { try deleteAll(EventType.self) }
    /// Removes every geofence.
    public func deleteAllGeofences() throws { try deleteAll(Geofence.self) }
    /// Removes every property definition.
    public func deleteAllPropertyDefinitions() throws { try deleteAll(PropertyDefinition.self) }

    // MARK: Find

    /// The event with this id, or none.
    public func findEvent(id: String) throws -> Event? { try find(Event.self, id: id)?.entity }
    /// The event type with this id, or none.
    public func findEventType(id: String) throws -> EventType? { try find(EventType.self, id: id)?.entity }
    /// The geofence with this id, or none.
    public func findGeofence(id: String) throws -> Geofence? { try find(Geofence.self, id: id)?.entity }
    /// The property definition with this id, or none.
    public func findPropertyDefinition(id: String) throws -> PropertyDefinition? {
        try find(PropertyDefinition.self, id: id)?.entity
    }

    // MARK: Fetch

    /// Every event of the store.
    public func fetchAllEvents() throws -> [Event] { try fetchAll() }
    /// Every event type of the store.
    public func fetchAllEventTypes() throws -> [EventType] { try fetchAll() }
    /// Every geofence of the store.
    public func fetchAllGeofences() throws -> [Geofence] { try fetchAll() }
    /// Every property definition of the store.
    public func fetchAllPropertyDefinitions() throws -> [PropertyDefinition] { try fetchAll() }

    // MARK: Sync status

    /// Notes that the server has the event as it is here.
    public func markEventSynced(id: String) throws { try setSyncStatus(Event.self, id: id, .synced) }
    /// Notes that the server has the event type as it is here.
    public func markEventTypeSynced(id: String) throws { try setSyncStatus(EventType.self, id: id, .synced) }
    /// Notes that the server has the geofence as it is here.
    public func markGeofenceSynced(id: String) throws { try setSyncStatus(Geofence.self, id: id, .synced) }
    /// Notes that the server has the property definition as it is here.
    public func markPropertyDefinitionSynced(id: String) throws {
        try setSyncStatus(PropertyDefinition.self, id: id, .synced)
    }

    private func upsert<Entity: SyncEntity>(_ blank: Entity, _ configure: (inout Entity) -> Void) throws -> Entity {
        try begin()
        var record = try find(Entity.self, id: blank.id) ?? LocalRecord(blank)
        configure(&record.entity)
        record.entity.id = blank.id
        try upsert(record)
        return record.entity
    }

    private func fetchAll<Entity: SyncEntity>() throws -> [Entity] {
        try fetch(Entity.self, where: nil).map(\.entity)
    }
}
