import Foundation
import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync

/// The types, properties and places of a JSON export, and the records that replace them here.
///
/// Records keep their ids. On a server, ids are unique across accounts: so the records of another account get new ids,
/// which are the same in each import.
@MainActor
final class RecordCatalogue {
    /// The kind of an element.
    enum Kind {
        case event
        /// A record that events refer to.
        case describing
        /// Something else.
        case unknown(String)
    }

    private let scope: ImportPipeline.Scope
    private var makesIds: Bool
    /// Whether all records get new ids.
    private let newIds: Bool
    private let account: String?
    private var types: [EventType] = []
    private var definitions: [(key: String, value: PropertyDefinition)] = []
    private var places: [Geofence] = []
    /// The ids of types and places here, by their ids in the file.
    private var typesHere: [String: EventType] = [:]
    private var placesHere: [String: String] = [:]
    private var unknownFields: [String: Int] = [:]
    /// The errors of definitions, by their keys.
    private(set) var problems: [String: RowError] = [:]

    init(scope: ImportPipeline.Scope, newIds: Bool) throws {
        self.scope = scope
        self.newIds = newIds
        makesIds = newIds
        account = try scope.context.ownership.owner()?.userId
        for type in try scope.context.reader.fetch(EventType.self) { typesHere[type.id] = type.entity }
        for place in try scope.context.reader.fetch(Geofence.self) { placesHere[place.id] = place.id }
    }

    /// Remarks on the file.
    var remarks: [String] {
        let fields = unknownFields.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        if fields.isEmpty { return [] }
        return ["unknown fields were left out: \(fields.joined(separator: ", "))"]
    }

    /// The kind of an element, by its array or its member `entity_type`; an event without both.
    func kind(of element: JSONElement) -> Kind {
        switch section(of: element) {
        case "events", "event", nil: .event
        case "event_types", "event_type", "property_definitions", "property_definition", "geofences", "geofence":
            .describing
        case .some(let name): .unknown(name)
        }
    }

    private func section(of element: JSONElement) -> String? {
        if let section = element.section { return section }
        // Most lines have the member, so only lines that contain its name are decoded for it.
        guard element.bytes.firstRange(of: Self.marker) != nil else { return nil }
        return (try? element.decode(Marker.self))?.entityType
    }

    private static let marker = Array("\"entity_type\"".utf8)

    private struct Marker: Decodable {
        var entityType: String?

        private enum CodingKeys: String, CodingKey {
            case entityType = "entity_type"
        }
    }

    // MARK: Definitions

    /// Reads a type, a property or a place.
    func collect(_ element: JSONElement) throws {
        guard case .describing = kind(of: element), let section = section(of: element) else { return }
        do {
            switch section {
            case "event_types", "event_type": types.append(try read(element))
            case "geofences", "geofence": places.append(try read(element))
            default: definitions.append((element.key, try read(element)))
            }
        } catch let problem as RowError {
            problems[element.key] = problem
        }
    }

    private func read<Entity: SyncEntity>(_ element: JSONElement) throws -> Entity {
        let record = try element.decode(ExportedRecord<Entity>.self)
        note(record)
        guard let entity = record.entity else { throw RowError("it is not a valid \(Entity.entityType.displayName)") }
        try Self.validate(entity, in: scope.context.reader)
        return entity
    }

    /// Records the owner and the unknown fields of a record.
    private func note<Entity: SyncEntity>(_ record: ExportedRecord<Entity>) {
        for field in record.unknownFields { unknownFields[field, default: 0] += 1 }
        if let owner = record.owner, let account, owner != account { makesIds = true }
    }

    /// Finds or creates the records for all definitions of the file.
    func adoptAll() throws {
        for type in types {
            var own = type
            own.id = id(of: type.id)
            typesHere[type.id] = try scope.types.adopt(own)
        }
        for place in places {
            var own = place
            own.id = id(of: place.id)
            own.eventTypeEntryId = place.eventTypeEntryId.map { typesHere[$0]?.id ?? id(of: $0) }
            own.eventTypeExitId = place.eventTypeExitId.map { typesHere[$0]?.id ?? id(of: $0) }
            placesHere[place.id] = scope.types.adopt(own).id
        }
        for (key, definition) in definitions {
            guard let type = typesHere[definition.eventTypeId] else {
                problems[key] = RowError(Self.missing("type", definition.eventTypeId))
                continue
            }
            var own = definition
            own.id = id(of: definition.id)
            own.eventTypeId = type.id
            do { try scope.types.adopt(own, of: type) } catch let problem as RowError { problems[key] = problem }
        }
    }

    private func id(of original: String) -> String {
        guard makesIds else { return original }
        return scope.ids.id("json:\(original)", at: UUIDv7(original)?.timestamp ?? Timestamp(milliseconds: 0))
    }

    private static func missing(_ what: String, _ id: String) -> String {
        "its \(what) \(id) is neither in the file nor in the store"
    }

    // MARK: Events

    /// The event of an element, with references to the records here.
    ///
    /// - Throws: ``RowError``.
    func event(_ element: JSONElement) throws -> ImportedEvent {
        let record = try element.decode(ExportedRecord<Event>.self)
        note(record)
        guard var event = record.entity else {
            return .draft(try JSONEventDraft(element).draft(times: scope.context.times))
        }
        guard let type = typesHere[event.eventTypeId] else {
            throw RowError(Self.missing("type", event.eventTypeId))
        }
        event.eventTypeId = type.id
        if let place = event.geofenceId {
            guard let here = placesHere[place] else { throw RowError(Self.missing("place", place)) }
            event.geofenceId = here
        }
        let name = newIds ? nil : event.id
        event.id = id(of: event.id)
        try Self.validate(event, in: scope.context.reader)
        return .record(event, named: name)
    }

    /// Refuses an invalid record, except for values of newer versions.
    static func validate(_ entity: some SyncEntity, in reader: StoreReader) throws(RowError) {
        do {
            try reader.validate(entity)
        } catch let error as TrendyDomain.ValidationError {
            if error.fields.contains(where: { $0.code != "unknown" }) { throw RowError("\(error)") }
        } catch {
            throw RowError("\(error)")
        }
    }
}

/// The events of a JSON or JSON Lines export of Trendy.
///
/// The types, properties and places are read first, wherever they are in the file: tools that sort members can move them
/// behind the events.
@MainActor
struct RecordSource: ImportSource {
    private var elements: JSONElements
    private let catalogue: RecordCatalogue

    /// - Parameter open: Opens the file at its start; called twice.
    init(
        form: JSONElements.Form, newIds: Bool, scope: ImportPipeline.Scope, _ open: () throws -> any ByteSource
    ) throws {
        catalogue = try RecordCatalogue(scope: scope, newIds: newIds)
        var describing = JSONElements(try open(), form)
        while let element = try describing.next() {
            try scope.step()
            try catalogue.collect(element)
        }
        try catalogue.adoptAll()
        elements = JSONElements(try open(), form)
    }

    var remarks: [String] { catalogue.remarks }

    mutating func next() throws -> ImportRow? {
        while let element = try elements.next() {
            switch catalogue.kind(of: element) {
            case .describing:
                if let problem = catalogue.problems[element.key] {
                    return ImportRow(line: element.line, element: element.name) { throw problem }
                }
            case .event:
                return ImportRow(line: element.line, element: element.name) { [try catalogue.event(element)] }
            case .unknown(let name):
                return ImportRow(line: element.line, element: element.name) {
                    throw RowError("this version does not know the kind of record '\(name)'; update Trendy")
                }
            }
        }
        return nil
    }
}

extension JSONElement {
    /// The name for messages: "event 2"; nil if it is alone on its line.
    fileprivate var name: String? {
        if number == 0 { return nil }
        let kind =
            switch section {
            case "events", nil: "event"
            case "event_types": "type"
            case "property_definitions": "property"
            case "geofences": "place"
            case .some(let other): "element of \"\(other)\""
            }
        return "\(kind) \(number)"
    }
}
