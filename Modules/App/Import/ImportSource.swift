import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Gives what a file holds row by row, so that a file of any length takes little memory.
///
/// A row is what the format counts: a line of CSV, an element of JSON, a `VEVENT`.
@MainActor
protocol ImportSource {
    /// The next row, nil after the last.
    ///
    /// - Throws: ``CommandFailure`` where the file cannot be read on; what is wrong with one row is in the row.
    mutating func next() throws -> ImportRow?

    /// What a person has to know of the rows that were read, in sentences.
    var remarks: [String] { get }

    /// Forgets what it would remark of the row that it gave last, which cannot go in.
    mutating func refuseLast()
}

extension ImportSource {
    var remarks: [String] { [] }

    mutating func refuseLast() {}
}

/// One row of a file that is imported.
struct ImportRow {
    /// The file, where the source is made of several.
    var file: String?
    /// The line that it begins on; the first is 1.
    var line: Int
    /// What it is called, where several may be on one line: "event 2".
    var element: String?
    /// The events that it stands for, none where it stands for none, or why it cannot go in.
    var content: Result<[ImportedEvent], RowProblem>

    /// Reads a row; what goes wrong meanwhile is the row's problem.
    @MainActor
    init(file: String? = nil, line: Int, element: String? = nil, _ read: () throws -> [ImportedEvent]) {
        self.file = file
        self.line = line
        self.element = element
        do {
            content = .success(try read())
        } catch let problem as RowProblem {
            content = .failure(problem)
        } catch {
            content = .failure(RowProblem(CommandFailure(error).message))
        }
    }
}

/// An event as a source gives it.
enum ImportedEvent {
    /// What a foreign format says of an event.
    case draft(EventDraft)
    /// A record of Trendy's own, with its id, and the name by which another format of the same export knows it.
    case record(Event, named: String?)
}

/// What a foreign format says of an event; ``DraftReader`` makes an event of it.
struct EventDraft {
    /// A value of a property.
    enum Value {
        /// Text that the property's definition says how to read; a property that is not defined is defined with this
        /// kind, or refused where there is none.
        case text(String, kind: PropertyType?)
        /// A value whose kind the format knows; a property that is not defined is defined.
        case typed(PropertyValue)
    }

    /// How the event is known again the next time.
    enum Identity {
        /// By the name that it has where it comes from.
        case named(String)
        /// By what it says. Equal ones in one file are different events and are counted.
        case content(String, Hash128)
    }

    /// The name of its type, whatever its case.
    var type: String
    var timestamp: Timestamp
    var identity: Identity
    /// Another name under which it may be here.
    var otherIdentity: Identity?
    /// The moment by which it gets its id, where that is not when it was and its name does not say it.
    var momentOfId: Timestamp?
    /// What only Trendy's own exports say of it.
    var exported: ExportedEvent?
    var endDate: Timestamp?
    var isAllDay = false
    var notes: String?
    var originalTitle: String?
    var locationName: String?
    var latitude: Double?
    var longitude: Double?
    /// Values by the keys of their properties.
    var properties: [(key: String, value: Value)] = []
    /// Whether `7,5` is a number among their texts.
    var hasDecimalCommas = false

    init(type: String, timestamp: Timestamp, identity: Identity) {
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
struct ExportedEvent {
    var sourceType: SourceType
    /// What else the file has columns for.
    var fields: RowFields
    /// The name that it had where it first came from.
    var externalId: String?
    var geofenceId: String?
    var healthKitSampleId: String?
    var healthKitCategory: String?
}

/// An event of an import, with what else it may be here as.
struct NamedEvent: Sendable {
    var event: Event
    var otherName: String?
    /// Other ids under which it may be here.
    var otherIds: [String] = []
    /// How an export of Trendy's own holds it; nil where it comes from elsewhere.
    var form: ExportedValues.Form?

    /// The names under which it may be here.
    var names: [String] { [event.externalId, otherName].compactMap(\.self) }
}

/// Why a row cannot go in.
struct RowProblem: Error {
    let message: String
    /// Whether the row is text of another encoding than UTF-8.
    var isEncoding = false

    /// How to make UTF-8 of a file that most likely is of the encoding that was usual before.
    static let conversion = "where it is Latin-1, 'iconv -f latin1 -t utf-8 FILE > NEW' makes a file to import"

    init(_ message: String, isEncoding: Bool = false) {
        self.message = message
        self.isEncoding = isEncoding
    }
}
