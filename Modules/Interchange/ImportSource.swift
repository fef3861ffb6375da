package import TrendyDomain
import TrendyNotation

/// Gives what a file holds row by row, so that a file of any length takes little memory.
///
/// A row is what the format counts: a line of CSV, an element of JSON, a `VEVENT`.
@MainActor
package protocol ImportSource {
    /// The next row, nil after the last.
    ///
    /// - Throws: ``InputError`` where the file cannot be read on; what is wrong with one row is in the row.
    mutating func next() throws -> ImportRow?

    /// What a person has to know of the rows that were read, in sentences.
    var remarks: [String] { get }

    /// Forgets what it would remark of the row that it gave last, which cannot go in.
    mutating func refuseLast()
}

extension ImportSource {
    package var remarks: [String] { [] }

    package mutating func refuseLast() {}
}

/// One row of a file that is imported.
package struct ImportRow {
    /// The file, where the source is made of several.
    package var file: String?
    /// The line that it begins on; the first is 1.
    package var line: Int
    /// What it is called, where several may be on one line: "event 2".
    package var element: String?
    /// The events that it stands for, none where it stands for none, or why it cannot go in.
    package var content: Result<[ImportedEvent], RowProblem>

    /// Reads a row; what goes wrong meanwhile is the row's problem.
    @MainActor
    package init(file: String? = nil, line: Int, element: String? = nil, _ read: () throws -> [ImportedEvent]) {
        self.file = file
        self.line = line
        self.element = element
        do {
            content = .success(try read())
        } catch let problem as RowProblem {
            content = .failure(problem)
        } catch {
            content = .failure(RowProblem("\(error)"))
        }
    }
}

/// An event as a source gives it.
package enum ImportedEvent {
    /// What a foreign format says of an event.
    case draft(EventDraft)
    /// A record of Trendy's own, with its id, and the name by which another format of the same export knows it.
    case record(Event, named: String?)
}

/// What a foreign format says of an event: whoever imports it finds its type and makes an event of it.
package struct EventDraft {
    /// A value of a property.
    package enum Value {
        /// Text that the property's definition says how to read; a property that is not defined is defined with this
        /// kind, or refused where there is none.
        case text(String, kind: PropertyType?)
        /// A value whose kind the format knows; a property that is not defined is defined.
        case typed(PropertyValue)
    }

    /// How the event is known again the next time.
    package enum Identity {
        /// By the name that it has where it comes from.
        case named(String)
        /// By what it says. Equal ones in one file are different events and are counted.
        case content(String, Hash128)
    }

    /// The name of its type, whatever its case.
    package var type: String
    package var timestamp: Timestamp
    package var identity: Identity
    /// Another name under which it may be here.
    package var otherIdentity: Identity?
    /// The moment by which it gets its id, where that is not when it was and its name does not say it.
    package var momentOfId: Timestamp?
    /// What only Trendy's own exports say of it.
    package var exported: ExportedEvent?
    package var endDate: Timestamp?
    package var isAllDay = false
    package var notes: String?
    package var originalTitle: String?
    package var locationName: String?
    package var latitude: Double?
    package var longitude: Double?
    /// Values by the keys of their properties.
    package var properties: [(key: String, value: Value)] = []
    /// Whether `7,5` is a number among their texts.
    package var hasDecimalCommas = false

    package init(type: String, timestamp: Timestamp, identity: Identity) {
        self.type = type
        self.timestamp = timestamp
        self.identity = identity
    }

    /// Moves it to the beginnings of its days, as `log --all-day` does.
    ///
    /// For times that a person's clock shows: another moment than a midnight may be one elsewhere, on another day. Its
    /// id stays that of its time.
    ///
    /// - Parameter withEnd: Whether its end is moved, too.
    mutating func beginDays(in zone: LocalZone, withEnd: Bool) {
        momentOfId = momentOfId ?? timestamp
        timestamp = zone.start(of: zone.day(of: timestamp))
        if withEnd { endDate = endDate.map { zone.start(of: zone.day(of: $0)) } }
    }
}

/// What Trendy's own exports say of an event beyond what foreign formats do.
package struct ExportedEvent {
    package var sourceType: SourceType
    /// What else the file has columns for.
    package var fields: RowFields
    /// The name that it had where it first came from.
    package var externalId: String?
    package var geofenceId: String?
    package var healthKitSampleId: String?
    package var healthKitCategory: String?
}

/// Why a row cannot go in.
package struct RowProblem: Error {
    package let message: String
    /// Whether the row is text of another encoding than UTF-8.
    var isEncoding = false

    /// How to make UTF-8 of a file that most likely is of the encoding that was usual before.
    package static let conversion = "where it is Latin-1, 'iconv -f latin1 -t utf-8 FILE > NEW' makes a file to import"

    package init(_ message: String, isEncoding: Bool = false) {
        self.message = message
        self.isEncoding = isEncoding
    }
}

/// What a reader can ask of the types that are here, or that the import makes.
@MainActor
package protocol ImportableTypes {
    /// The type of that name, whatever its case.
    ///
    /// - Throws: ``RowProblem`` where there is none, and none may be made.
    func type(named name: String) throws(RowProblem) -> EventType
    /// The name with which the type is found, in lower case.
    func folded(_ name: String) -> String
    /// The property of a type with this key, whatever its case; nil where there is none.
    func present(_ key: String, of type: EventType) throws -> PropertyDefinition?
    /// Whether there is a place with this id.
    func hasPlace(_ id: String) -> Bool
}

/// The fields of an event that a row of CSV has columns for, among those that a file may lack.
package struct RowFields: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let end = RowFields(rawValue: 1)
    package static let allDay = RowFields(rawValue: 2)
    package static let notes = RowFields(rawValue: 4)
    package static let location = RowFields(rawValue: 8)
    package static let latitude = RowFields(rawValue: 16)
    package static let longitude = RowFields(rawValue: 32)
    /// All properties in one column; a column of a single one says nothing of the others.
    package static let properties = RowFields(rawValue: 64)
    package static let all: RowFields = [.end, .allDay, .notes, .location, .latitude, .longitude, .properties]

    /// Gives an event of a row what the row has no column for.
    package func fill(_ event: inout Event, from present: Event) {
        if !contains(.end) { event.endDate = present.endDate }
        if !contains(.allDay) { event.isAllDay = present.isAllDay }
        if !contains(.notes) { event.notes = present.notes }
        if !contains(.location) { event.locationName = present.locationName }
        if !contains(.latitude) { event.locationLatitude = present.locationLatitude }
        if !contains(.longitude) { event.locationLongitude = present.locationLongitude }
        if !contains(.properties) { event.properties.merge(present.properties) { own, _ in own } }
    }
}

extension ImportColumns {
    /// The fields that have a column.
    package var fields: RowFields {
        var fields: RowFields = []
        if until != nil { fields.insert(.end) }
        if allDay != nil { fields.insert(.allDay) }
        if note != nil { fields.insert(.notes) }
        if location != nil { fields.insert(.location) }
        if lat != nil { fields.insert(.latitude) }
        if lon != nil { fields.insert(.longitude) }
        if typedProperties != nil { fields.insert(.properties) }
        return fields
    }
}

/// A hash of 128 bits that is the same on every machine and in every version: FNV-1a.
///
/// It names imported rows, so that the same row has the same name the next time. It is no protection
/// against somebody who looks for collisions: the rows are the person's own.
package struct Hash128: Hashable {
    private var value = UInt128(0x6c62_272e_07bb_0142) << 64 | UInt128(0x62b8_2175_6295_c58d)

    package init() {
    }
    private static let prime = UInt128(1) << 88 | UInt128(0x13b)

    /// Adds a field. What ends a field is added too, so that no two lists of fields flow together.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        // No byte of UTF-8 text.
        add(0xFF)
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt128(byte)) &* Self.prime
    }

    /// The upper 16 bits.
    package var high: UInt16 { UInt16(truncatingIfNeeded: value >> 112) }
    /// The lower 64 bits.
    package var low: UInt64 { UInt64(truncatingIfNeeded: value) }

    /// The 32 hexadecimal digits.
    package var hex: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}
