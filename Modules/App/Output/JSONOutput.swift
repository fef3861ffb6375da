import TrendyDomain
import TrendyTerminal

extension Output {
    /// Writes a value as one line of JSON.
    func json(_ value: some Encodable) throws {
        try write(try WireCoding.encode(value))
        try write("\n")
    }

    /// Writes a JSON array, one element per line.
    func jsonArray<Element: Encodable>(_ elements: some Sequence<Element>) throws {
        var array = JSONArrayWriter(output: self)
        for element in elements { try array.add(element) }
        try array.end()
    }
}

/// Writes a JSON array element by element, one per line, in constant memory.
@MainActor
struct JSONArrayWriter {
    private let output: Output
    private var isEmpty = true

    init(output: Output) {
        self.output = output
    }

    mutating func add(_ element: some Encodable) throws {
        try output.write(isEmpty ? "[\n" : ",\n")
        isEmpty = false
        try output.write(try WireCoding.encode(element))
    }

    /// Closes the array; without a line end if `isNested`.
    func end(isNested: Bool = false) throws {
        try output.write((isEmpty ? "[]" : "\n]") + (isNested ? "" : "\n"))
    }
}

/// A JSON object with all keys, and null for missing values.
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
