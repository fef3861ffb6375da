import Foundation
import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendyNotation
import TrendySync

/// What the events of an export refer to, and what stands for it here.
///
/// Ids stay as they are in the file, so that what goes in is what was exported. Servers keep all people's ids in one
/// space: where the file holds the records of another account, its records are given ids of their own, the same
/// each time.
@MainActor
final class RecordCatalogue {
    /// What an element is.
    enum Kind {
        case event
        /// What events refer to.
        case describing
        /// Something else.
        case unknown(String)
    }

    private let scope: ImportPipeline.Scope
    private var makesIds: Bool
    /// Whether copies are asked for, whatever is here.
    private let newIds: Bool
    private let account: String?
    private var types: [EventType] = []
    private var definitions: [(key: String, value: PropertyDefinition)] = []
    private var places: [Geofence] = []
    /// What stands here for the types and places of the file, by their ids there.
    private var typesHere: [String: EventType] = [:]
    private var placesHere: [String: String] = [:]
    private var unknownFields: [String: Int] = [:]
    /// What is wrong with elements that describe, by their keys.
    private(set) var problems: [String: RowProblem] = [:]

    init(scope: ImportPipeline.Scope, newIds: Bool) throws {
        self.scope = scope
        self.newIds = newIds
        makesIds = newIds
        account = try scope.context.ownership.owner()?.userId
        for type in try scope.context.reader.fetch(EventType.self) { typesHere[type.id] = type.entity }
        for place in try scope.context.reader.fetch(Geofence.self) { placesHere[place.id] = place.id }
    }

    /// What a person has to know of the file.
    var remarks: [String] {
        let fields = unknownFields.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
        if fields.isEmpty { return [] }
        return ["fields that this version does not know were left out: \(fields.joined(separator: ", "))"]
    }

    /// What an element is, by the array that it is in or its member `entity_type`; without either it is an event.
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
        // Most lines are events, and most say so: those that say nothing of it need not be read for it.
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

    // MARK: Describing

    /// Takes note of an element that describes.
    func collect(_ element: JSONElement) throws {
        guard case .describing = kind(of: element), let section = section(of: element) else { return }
        do {
            switch section {
            case "event_types", "event_type": types.append(try read(element))
            case "geofences", "geofence": places.append(try read(element))
            default: definitions.append((element.key, try read(element)))
            }
        } catch let problem as RowProblem {
            problems[element.key] = problem
        }
    }

    private func read<Entity: SyncEntity>(_ element: JSONElement) throws -> Entity {
        let record = try element.decode(ExportedRecord<Entity>.self)
        note(record)
        guard let entity = record.entity else { throw RowProblem("it is no \(Entity.entityType.displayName)") }
        try Self.validate(entity, in: scope.context.reader)
        return entity
    }

    /// Takes note of what the fields of a record tell besides the record itself.
    private func note<Entity: SyncEntity>(_ record: ExportedRecord<Entity>) {
        for field in record.unknownFields { unknownFields[field, default: 0] += 1 }
        if let owner = record.owner, let account, owner != account { makesIds = true }
    }

    /// Finds or makes what stands here for everything that the file describes.
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
                problems[key] = RowProblem(Self.missing("type", definition.eventTypeId))
                continue
            }
            var own = definition
            own.id = id(of: definition.id)
            own.eventTypeId = type.id
            do { try scope.types.adopt(own, of: type) } catch let problem as RowProblem { problems[key] = problem }
        }
    }

    private func id(of original: String) -> String {
        guard makesIds else { return original }
        return scope.ids.id("json:\(original)", at: UUIDv7(original)?.timestamp ?? Timestamp(milliseconds: 0))
    }

    private static func missing(_ what: String, _ id: String) -> String {
        "it belongs to the \(what) \(id), which is neither in the file nor here"
    }

    // MARK: Events

    /// The event of an element, with what it refers to here.
    ///
    /// - Throws: ``RowProblem``.
    func event(_ element: JSONElement) throws -> ImportedEvent {
        let record = try element.decode(ExportedRecord<Event>.self)
        note(record)
        guard var event = record.entity else {
            return .draft(try JSONEventDraft(element).draft(times: scope.context.times))
        }
        guard let type = typesHere[event.eventTypeId] else {
            throw RowProblem(Self.missing("type", event.eventTypeId))
        }
        event.eventTypeId = type.id
        if let place = event.geofenceId {
            guard let here = placesHere[place] else { throw RowProblem(Self.missing("place", place)) }
            event.geofenceId = here
        }
        let name = newIds ? nil : event.id
        event.id = id(of: event.id)
        try Self.validate(event, in: scope.context.reader)
        return .record(event, named: name)
    }

    /// Refuses what a person must not write, but for what only a newer version knows.
    static func validate(_ entity: some SyncEntity, in reader: StoreReader) throws(RowProblem) {
        do {
            try reader.validate(entity)
        } catch let error as TrendyDomain.ValidationError {
            if error.fields.contains(where: { $0.code != "unknown" }) { throw RowProblem("\(error)") }
        } catch {
            throw RowProblem("\(error)")
        }
    }
}

/// Gives the events of Trendy's own JSON export, or of JSON Lines.
///
/// What describes the events (types, definitions of properties, places) is read first, wherever in the file it is:
/// tools that sort members put it behind the events that need it.
@MainActor
struct RecordSource: ImportSource {
    private var elements: JSONElements
    private let catalogue: RecordCatalogue

    /// - Parameter open: Begins to read the file from its start; called twice.
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
                    throw RowProblem("'\(name)' is no kind of record that this version knows; update Trendy")
                }
            }
        }
        return nil
    }
}

extension JSONElement {
    /// What it is called where a person has to find it: "event 2"; nil where its line is its own.
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
