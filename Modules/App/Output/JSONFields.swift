/// A JSON object whose every key is there: null where there is no value.
struct JSONFields: Encodable {
    private let fields: KeyValuePairs<String, (any Encodable)?>

    init(_ fields: KeyValuePairs<String, (any Encodable)?>) {
        self.fields = fields
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in fields {
            if let value {
                try container.encode(value, forKey: Name(name))
            } else {
                try container.encodeNil(forKey: Name(name))
            }
        }
    }
}
