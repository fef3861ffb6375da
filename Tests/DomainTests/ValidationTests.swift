import Testing
import TrendyDomain
import TrendyTestSupport

@Suite("validation")
struct ValidationTests {
    private func wrongFields(_ record: some SyncEntity) -> [String] {
        do {
            try record.validate()
            return []
        } catch let error as ValidationError {
            return error.fields.map(\.field)
        } catch {
            return ["\(error)"]
        }
    }

    @Test("what the factories make is valid")
    func valid() {
        #expect(wrongFields(makeEvent()).isEmpty)
        #expect(wrongFields(makeEventType()).isEmpty)
        #expect(wrongFields(makeGeofence()).isEmpty)
        #expect(wrongFields(makePropertyDefinition()).isEmpty)
    }

    @Test("no text has the character U+0000, which not every store can keep")
    func zero() {
        let text = "a\0b"
        let event = makeEvent(
            notes: text, externalId: text, originalTitle: text, locationName: text, healthKitSampleId: text,
            healthKitCategory: text, properties: ["k": .text(text), "s": .select(text), "z\0": .number(1)])
        #expect(
            wrongFields(event) == [
                "notes", "external_id", "original_title", "location_name", "healthkit_sample_id",
                "healthkit_category", "properties.k", "properties.s", "properties",
            ])
        #expect(wrongFields(makeEventType(name: text, icon: text)) == ["name", "icon"])
        #expect(wrongFields(makeGeofence(name: text)) == ["name"])
        #expect(wrongFields(makePropertyDefinition(key: text, label: text)) == ["key", "label"])
        #expect(
            wrongFields(makePropertyDefinition(propertyType: .text, defaultValue: .string(text))) == ["default_value"])
        // An import takes words that this version does not know, and not these.
        let unknown = makeEvent(
            sourceType: SourceType(rawValue: text),
            properties: [
                "o": .other(type: PropertyType(rawValue: "mood"), value: ["x": [.string(text)]]),
                "p": .other(type: PropertyType(rawValue: "\0"), value: 1),
            ])
        let error = #expect(throws: ValidationError.self) { try unknown.validate() }
        #expect(
            error?.fields.filter { $0.code != "unknown" }.map(\.field) == [
                "source_type", "properties.o", "properties.p",
            ])
    }

    @Test("a name has a character that can be seen", arguments: ["\u{200B}", "\u{2060}\u{FE0F}", " \u{AD}"])
    func unseen(name: String) {
        #expect(wrongFields(makeEventType(name: name)) == ["name"])
        #expect(wrongFields(makeEventType(name: name + "a")).isEmpty)
    }

    @Test("every wrong field of an event is named at once")
    func event() {
        let event = makeEvent(
            id: "1", eventTypeId: "2", timestamp: .latest, notes: String(repeating: "é", count: 10_001),
            endDate: .earliest, sourceType: SourceType(rawValue: "dream"),
            externalId: String(repeating: "x", count: 501), originalTitle: String(repeating: "x", count: 1_001),
            geofenceId: "3", locationLatitude: 91, locationName: String(repeating: "x", count: 501),
            healthKitSampleId: String(repeating: "x", count: 201),
            healthKitCategory: String(repeating: "x", count: 201),
            properties: [
                "a": .number(.infinity), "b": .duration(-1), "c": .url("no"), "d": .email("no"),
                "e": .other(type: PropertyType(rawValue: "mood"), value: 1), "f": .other(type: .number, value: "x"),
                "g": .text("fine"), "h": .other(type: .date, value: "2026-01-01T00:00:00Z"),
            ])
        #expect(
            wrongFields(event) == [
                "id", "event_type_id", "geofence_id", "end_date", "source_type", "notes", "external_id",
                "original_title", "location_name", "healthkit_sample_id", "healthkit_category", "location_latitude",
                "location_latitude", "properties.a", "properties.b", "properties.c", "properties.d", "properties.e",
                "properties.f",
            ])
        var description = ""
        do { try event.validate() } catch { description = "\(error)" }
        #expect(description.hasPrefix("invalid event: id must be a UUID of version 7; "))
    }

    @Test("limits are counted in code points, and their edges are allowed")
    func edges() {
        #expect(wrongFields(makeEvent(notes: String(repeating: "é", count: 10_000))).isEmpty)
        #expect(wrongFields(makeEvent(locationLatitude: -90, locationLongitude: 180)).isEmpty)
        #expect(wrongFields(makeGeofence(latitude: 90, longitude: -180, radius: 50)).isEmpty)
        #expect(wrongFields(makeGeofence(radius: 10_000)).isEmpty)
        // Three code points each.
        let name = String(repeating: "👩‍🚀", count: 33) + "é"
        #expect(wrongFields(makeEventType(name: name)).isEmpty)
        #expect(wrongFields(makeEventType(name: name + "!")) == ["name"])
    }

    @Test(
        "event types",
        arguments: [
            ("", "#112233", ["name"]), (" \n", "#112233", ["name"]), ("x", "red", ["color"]),
            ("x", "#12345", ["color"]),
            ("x", "#12345G", ["color"]), ("x", "#1234567", ["color"]), ("", "", ["name", "color"]),
            ("x", "#AbCdEf", []),
        ] as [(String, String, [String])])
    func eventTypes(_ name: String, _ color: String, _ wrong: [String]) {
        #expect(wrongFields(makeEventType(name: name, color: color)) == wrong)
    }

    @Test("places")
    func geofence() {
        let place = makeGeofence(
            id: "x", name: "", latitude: .nan, longitude: 181, radius: 49, eventTypeEntryId: "y",
            eventTypeExitId: "z", iosRegionIdentifier: String(repeating: "x", count: 201))
        #expect(
            wrongFields(place) == [
                "id", "name", "latitude", "longitude", "radius", "event_type_entry_id", "event_type_exit_id",
                "ios_region_identifier",
            ])
    }

    @Test("property definitions")
    func definitions() {
        #expect(wrongFields(makePropertyDefinition(propertyType: .select)) == ["options"])
        #expect(wrongFields(makePropertyDefinition(propertyType: .select, options: ["a", "a"])) == ["options"])
        #expect(wrongFields(makePropertyDefinition(propertyType: PropertyType(rawValue: "mood"))) == ["property_type"])
        #expect(wrongFields(makePropertyDefinition(propertyType: .number, defaultValue: "x")) == ["default_value"])
        #expect(wrongFields(makePropertyDefinition(propertyType: .number, defaultValue: 2.5)).isEmpty)
    }
}

private struct First: SyncEntity {
    static let entityType: EntityType = "first"
    static let fields = ["id", "second_id"]
    static let parents = [ParentReference(field: "second_id", entityType: "second", onDelete: .cascade)]
    var id: String
}

private struct Second: SyncEntity {
    static let entityType: EntityType = "second"
    static let fields = ["id", "first_id"]
    static let parents = [ParentReference(field: "first_id", entityType: "first", onDelete: .clear)]
    var id: String
}

private struct Tree: SyncEntity {
    static let entityType: EntityType = "tree"
    static let fields = ["id", "above_id"]
    static let parents = [ParentReference(field: "above_id", entityType: "tree", onDelete: .cascade)]
    var id: String
}

@Suite("schemas")
struct SchemaTests {
    @Test("kinds stand after their parents, whatever order they are given in")
    func order() throws {
        let kinds: [any SyncEntity.Type] = [Event.self, PropertyDefinition.self, Geofence.self, EventType.self]
        let schema = try EntitySchema(kinds)
        #expect(schema.rank(of: .eventType) < schema.rank(of: .geofence))
        #expect(schema.rank(of: .geofence) < schema.rank(of: .event))
        #expect(schema.rank(of: .eventType) < schema.rank(of: .propertyDefinition))
        #expect(schema.rank(of: "unknown") == 4)
        #expect(
            EntitySchema.trendy.types.map { $0.entityType } == [.eventType, .geofence, .propertyDefinition, .event])
    }

    @Test("kinds that need each other, or share a name, are refused")
    func refusals() {
        #expect(throws: EntitySchemaError.cycle(["first", "second"])) { try EntitySchema([First.self, Second.self]) }
        #expect(throws: EntitySchemaError.duplicate(.event)) {
            try EntitySchema([Event.self, EventType.self, Event.self])
        }
    }

    @Test("a kind may belong to itself, and to a kind that is not there")
    func openParents() throws {
        #expect(try EntitySchema([Tree.self, Event.self]).types.count == 2)
    }

    @Test("children are found with the field that names their parent")
    func children() {
        let children = EntitySchema.trendy.children(of: .eventType)
        #expect(children.map { $0.type.entityType } == [.geofence, .geofence, .propertyDefinition, .event])
        #expect(children.map(\.reference.onDelete) == [.clear, .clear, .cascade, .cascade])
    }
}
