import TrendyDomain
import TrendyInterchange

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
