package import TrendyDomain
import TrendyNotation

/// Reads a file row by row, in constant memory.
///
/// A row is a record of CSV, an element of JSON, or a `VEVENT`.
@MainActor
package protocol ImportSource {
    /// The next row; nil at the end.
    ///
    /// - Throws: ``InputError`` if the file cannot be read any further. The error of a single row is in the row.
    mutating func next() throws -> ImportRow?

    /// Remarks on the rows, as sentences.
    var remarks: [String] { get }

    /// Drops the remarks on the last row, which is not imported.
    mutating func refuseLast()
}

extension ImportSource {
    package var remarks: [String] { [] }

    package mutating func refuseLast() {}
}

/// A row of an imported file.
package struct ImportRow {
    /// The file, if the source has several.
    package var file: String?
    /// The number of its first line; the first line of the file is 1.
    package var line: Int
    /// The name, if several rows can be on one line: "event 2".
    package var element: String?
    /// The events of the row, possibly none, or its error.
    package var content: Result<[ImportedEvent], RowError>

    /// Reads a row; a thrown error becomes the error of the row.
    @MainActor
    package init(file: String? = nil, line: Int, element: String? = nil, _ read: () throws -> [ImportedEvent]) {
        self.file = file
        self.line = line
        self.element = element
        do {
            content = .success(try read())
        } catch let problem as RowError {
            content = .failure(problem)
        } catch {
            content = .failure(RowError("\(error)"))
        }
    }
}

/// An event from a source.
package enum ImportedEvent {
    /// An event of another format.
    case draft(EventDraft)
    /// A record of Trendy with its id, and its external id in other formats.
    case record(Event, named: String?)
}

/// An event of another format. The import resolves its type and creates the event.
package struct EventDraft {
    /// A value of a property.
    package enum Value {
        /// A text to read by the property's definition. The kind is for a new property; without a kind, a new property is
        /// refused.
        case text(String, kind: PropertyType?)
        /// A value with its kind; a missing property is created.
        case typed(PropertyValue)
    }

    /// How the next import recognizes the event.
    package enum Identity {
        /// By its id in the other program.
        case named(String)
        /// By its content. Equal rows of a file are different events and are numbered.
        case content(String, Hash128)
    }

    /// The name of the type, in any case.
    package var type: String
    package var timestamp: Timestamp
    package var identity: Identity
    /// Another external id that the stored event may have.
    package var otherIdentity: Identity?
    /// The moment for its id, if it differs from the time of the event.
    package var momentOfId: Timestamp?
    /// The fields that only a Trendy export has.
    package var exported: ExportedEvent?
    package var endDate: Timestamp?
    package var isAllDay = false
    package var notes: String?
    package var originalTitle: String?
    package var locationName: String?
    package var latitude: Double?
    package var longitude: Double?
    /// The values by the keys of their properties.
    package var properties: [(key: String, value: Value)] = []
    /// Whether `7,5` is a number in the values.
    package var hasDecimalCommas = false

    package init(type: String, timestamp: Timestamp, identity: Identity) {
        self.type = type
        self.timestamp = timestamp
        self.identity = identity
    }

    /// Moves start and end to the starts of their days, like `log --all-day`.
    ///
    /// Only for local times: another moment could be a midnight of another zone. The id still depends on the original time.
    ///
    /// - Parameter withEnd: Whether the end is moved, too.
    mutating func beginDays(in zone: LocalZone, withEnd: Bool) {
        momentOfId = momentOfId ?? timestamp
        timestamp = zone.start(of: zone.day(of: timestamp))
        if withEnd { endDate = endDate.map { zone.start(of: zone.day(of: $0)) } }
    }
}

/// The fields of an event that only a Trendy export has.
package struct ExportedEvent {
    package var sourceType: SourceType
    /// The other fields with columns in the file.
    package var fields: RowFields
    /// The external id of its original source.
    package var externalId: String?
    package var geofenceId: String?
    package var healthKitSampleId: String?
    package var healthKitCategory: String?
}

/// The error of a row.
package struct RowError: Error {
    package let message: String
    /// Whether the row is not UTF-8.
    var isEncoding = false

    /// Advice for converting a file to UTF-8.
    package static let conversion = "if it is Latin-1, convert it with 'iconv -f latin1 -t utf-8 FILE > NEW'"

    package init(_ message: String, isEncoding: Bool = false) {
        self.message = message
        self.isEncoding = isEncoding
    }
}

/// The existing types, properties and places, and those that the import creates.
@MainActor
package protocol ImportableTypes {
    /// The type of that name.
    ///
    /// - Throws: ``RowError`` if there is none and none may be created.
    func type(named name: String) throws(RowError) -> EventType
    /// The name in lower case, as it is part of an event's identity.
    func folded(_ name: String) -> String
    /// The property of a type with this key; nil if there is none.
    func present(_ key: String, of type: EventType) throws -> PropertyDefinition?
    /// Whether there is a place with this id.
    func hasPlace(_ id: String) -> Bool
}

/// The optional fields of an event that a CSV file has columns for.
package struct RowFields: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let end = RowFields(rawValue: 1)
    package static let allDay = RowFields(rawValue: 2)
    package static let notes = RowFields(rawValue: 4)
    package static let location = RowFields(rawValue: 8)
    package static let latitude = RowFields(rawValue: 16)
    package static let longitude = RowFields(rawValue: 32)
    /// All properties in one column; columns of single properties do not count.
    package static let properties = RowFields(rawValue: 64)
    package static let all: RowFields = [.end, .allDay, .notes, .location, .latitude, .longitude, .properties]

    /// Fills in the fields without columns from another event.
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

/// FNV-1a, a hash of 128 bits that is the same on all machines and in all versions.
///
/// It identifies imported rows. It does not resist intentional collisions, which do not matter in a person's own data.
package struct Hash128: Hashable {
    private var value = UInt128(0x6c62_272e_07bb_0142) << 64 | UInt128(0x62b8_2175_6295_c58d)

    package init() {
    }
    private static let prime = UInt128(1) << 88 | UInt128(0x13b)

    /// Adds a field and a separator, so that different lists of fields have different hashes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
        // A byte that never occurs in UTF-8.
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
