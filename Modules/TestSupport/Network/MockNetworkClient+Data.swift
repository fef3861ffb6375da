public import TrendyDomain

// What the server holds, and what other devices do to it.

extension MockNetworkClient {
    /// Puts a record in as another device would: validated, stamped and logged in the change feed.
    ///
    /// - Parameter place: The change's place in the feed, which ``skipChangeIds(_:)`` has left out; the next one where
    ///   it is nil.
    @discardableResult
    public func put<Entity: SyncEntity>(_ entity: Entity, at place: Int64? = nil) throws -> Remote<Entity> {
        let fields = try server.create(entity, at: now)
        if let place { server.moveNewestChange(to: place) }
        return try WireCoding.value(Remote<Entity>.self, from: fields)
    }

    /// Changes a record as another device would.
    @discardableResult
    public func edit<Entity: SyncEntity>(
        _ type: Entity.Type, id: String, _ change: (inout Entity) -> Void
    ) throws -> Remote<Entity> {
        guard let old = try record(type, id: id) else { throw MockServer.notFound(type.entityType, id) }
        var new = old.entity
        change(&new)
        let fields = try server.update(type, id: id, Patch(from: old.entity, to: new), at: now)
        return try WireCoding.value(Remote<Entity>.self, from: fields)
    }

    /// Deletes a record, with what belongs to it, as another device would.
    public func remove<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws {
        try server.delete(type.entityType, id: id, at: now)
    }

    /// The record of that id.
    public func record<Entity: SyncEntity>(_ type: Entity.Type, id: String) throws -> Remote<Entity>? {
        try server.find(type.entityType, id).map { try WireCoding.value(Remote<Entity>.self, from: $0) }
    }

    /// All records of a kind: newest first where they have a timestamp, else in the order of their ids.
    public func records<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Remote<Entity>] {
        try server.all(type.entityType).map { try WireCoding.value(Remote<Entity>.self, from: $0) }
    }

    /// The change feed; a test may put anything into it.
    public var changes: [ChangeEntry] { server.feed }

    /// Appends an entry to the change feed as it is, under the next id where `id` is nil.
    @discardableResult
    public func appendChange(
        id: Int64? = nil, entityType: EntityType, operation: ChangeOperation, entityId: String,
        data: JSONValue? = nil
    ) -> ChangeEntry {
        let entry = ChangeEntry(
            id: id ?? server.nextChangeId, entityType: entityType, operation: operation, entityId: entityId,
            data: data, deletedAt: operation == .delete ? now : nil, createdAt: now)
        server.feed.append(entry)
        server.feed.sort { $0.id < $1.id }
        server.nextChangeId = max(server.nextChangeId, entry.id + 1)
        return entry
    }

    /// Leaves out so many ids of the change feed, as a transaction does that has not committed yet.
    ///
    /// Answers the first of them; ``appendChange(id:entityType:operation:entityId:data:)`` fills it in later.
    @discardableResult
    public func skipChangeIds(_ count: Int64 = 1) -> Int64 {
        defer { server.nextChangeId += count }
        return server.nextChangeId
    }

    /// Removes a record's changes from the feed, as feeds do that keep only the newest change of each record.
    public func forgetChanges(of entityId: String) { server.feed.removeAll { $0.entityId == entityId } }

    /// Removes one change from the feed.
    public func forgetChange(_ id: Int64) { server.feed.removeAll { $0.id == id } }

    /// Forgets the idempotency keys, as servers do in time, and as some do that keep none of a route.
    public func forgetKeys() { server.forgetReplies() }

    /// Everything that the server holds at this moment, for ``restore(_:)``.
    public func backup() -> MockBackup { MockBackup(server: server) }

    /// Puts everything back as it was at a backup, and gives the places of the feed that came since out again.
    public func restore(_ backup: MockBackup) { server = backup.server }

    /// The events that the mock server has.
    public var events: [APIEvent] { get throws { try records(Event.self) } }
    /// The event types that the mock server has.
    public var eventTypes: [APIEventType] { get throws { try records(EventType.self) } }
    /// The geofences that the mock server has.
    public var geofences: [APIGeofence] { get throws { try records(Geofence.self) } }
    /// The property definitions that the mock server has.
    public var propertyDefinitions: [APIPropertyDefinition] { get throws { try records(PropertyDefinition.self) } }
}

/// What a server held at one moment.
public struct MockBackup: Sendable {
    let server: MockServer
}
