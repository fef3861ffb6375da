/// The changed fields of a record: each is set to a value or cleared; absent means unchanged.
///
/// ```swift
/// var edited = event
/// edited.notes = nil
/// let patch = try Patch(from: event, to: edited)   // {"notes": null}
/// ```
public struct Patch<Entity: SyncEntity>: Sendable, Hashable {
    /// The new value of each changed field by wire name; null clears.
    public var changes: [String: JSONValue]

    /// Makes a patch of these changes.
    public init(changes: [String: JSONValue] = [:]) {
        self.changes = changes
    }

    /// Finds what leads from one version of a record to another. The id is never part of it.
    public init(from old: Entity, to new: Entity) throws {
        let before = try WireCoding.fields(of: old)
        let after = try WireCoding.fields(of: new)
        changes = [:]
        for field in Entity.fields where field != "id" && before[field] != after[field] {
            changes[field] = after[field] ?? .null
        }
    }

    /// True where nothing changes.
    public var isEmpty: Bool { changes.isEmpty }

    /// The record with the changes made.
    ///
    /// - Throws: `DecodingError` where a value does not fit its field, or a field is cleared that cannot be empty.
    public func applied(to entity: Entity) throws -> Entity {
        var fields = try WireCoding.fields(of: entity)
        for (field, value) in changes where field != "id" {
            fields[field] = value == .null ? nil : value
        }
        return try WireCoding.value(Entity.self, from: fields)
    }

    /// The values that the changed fields have in a record; null where they are empty.
    public func values(in entity: Entity) throws -> [String: JSONValue] {
        let fields = try WireCoding.fields(of: entity)
        return changes.reduce(into: [:]) { $0[$1.key] = fields[$1.key] ?? .null }
    }

    /// This patch, then a later one; the later one wins where both change a field.
    public func merging(_ later: Patch) -> Patch {
        Patch(changes: changes.merging(later.changes) { $1 })
    }
}

extension Patch: Codable {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        changes = try decoder.singleValueContainer().decode([String: JSONValue].self)
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(changes)
    }
}

/// The changed fields of an event.
public typealias UpdateEventRequest = Patch<Event>
/// The changed fields of an event type.
public typealias UpdateEventTypeRequest = Patch<EventType>
/// The changed fields of a geofence.
public typealias UpdateGeofenceRequest = Patch<Geofence>
/// The changed fields of a property definition.
public typealias UpdatePropertyDefinitionRequest = Patch<PropertyDefinition>
