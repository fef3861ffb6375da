import TrendyDomain
import TrendyNotation

/// The fields of any kind of record as people read them; of a field that is a map, each key by itself.
struct FieldText {
    let times: WhenParser

    /// `notes`, or `property mood`.
    static func name(_ place: FieldPath?) -> String {
        guard let place else { return "a field" }
        return place.key.map { "property \($0)" } ?? place.field
    }

    /// The value at a place.
    func value(_ value: JSONValue, at place: FieldPath?) -> String {
        guard place?.key != nil, value != .null, let data = try? WireCoding.encode(value),
            let property = try? WireCoding.decode(PropertyValue.self, from: data)
        else { return JSONText.of(value) }
        return PropertyText(times: times).text(property)
    }

    /// The places of a document of any kind, in the order of their names.
    static func places(of document: [String: JSONValue], _ entityType: EntityType) -> [FieldPath] {
        let places = EntitySchema.trendy.type(for: entityType)?.places(of: document)
        return (places ?? Set(document.keys.map { FieldPath($0) })).sorted()
    }
}
