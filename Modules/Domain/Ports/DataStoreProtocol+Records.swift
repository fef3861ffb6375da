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

    public func deleteEvent(id: String) throws { try delete(Event.self, id: id) }
    public func deleteEventType(id: String) throws { try delete(EventType.self, id: id) }
    public func deleteGeofence(id: String) throws { try delete(Geofence.self, id: id) }
    public func deletePropertyDefinition(id: String) throws { try delete(PropertyDefinition.self, id: id) }

    public func deleteAllEvents() throws { try deleteAll(Event.self) }
    public func deleteAllEventTypes() throws { try deleteAll(EventType.self) }
    public func deleteAllGeofences() throws { try deleteAll(Geofence.self) }
    public func deleteAllPropertyDefinitions() throws { try deleteAll(PropertyDefinition.self) }

    // MARK: Find

    public func findEvent(id: String) throws -> Event? { try find(Event.self, id: id)?.entity }
    public func findEventType(id: String) throws -> EventType? { try find(EventType.self, id: id)?.entity }
    public func findGeofence(id: String) throws -> Geofence? { try find(Geofence.self, id: id)?.entity }
    public func findPropertyDefinition(id: String) throws -> PropertyDefinition? {
        try find(PropertyDefinition.self, id: id)?.entity
    }

    // MARK: Fetch

    public func fetchAllEvents() throws -> [Event] { try fetchAll() }
    public func fetchAllEventTypes() throws -> [EventType] { try fetchAll() }
    public func fetchAllGeofences() throws -> [Geofence] { try fetchAll() }
    public func fetchAllPropertyDefinitions() throws -> [PropertyDefinition] { try fetchAll() }

    // MARK: Sync status

    public func markEventSynced(id: String) throws { try setSyncStatus(Event.self, id: id, .synced) }
    public func markEventTypeSynced(id: String) throws { try setSyncStatus(EventType.self, id: id, .synced) }
    public func markGeofenceSynced(id: String) throws { try setSyncStatus(Geofence.self, id: id, .synced) }
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
