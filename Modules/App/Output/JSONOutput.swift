import TrendyDomain

extension Output {
    /// Writes a value as one line of JSON.
    func json(_ value: some Encodable) throws {
        try write(try WireCoding.encode(value))
        try write("\n")
    }

    /// Writes an array of JSON, an element a line.
    func jsonArray<Element: Encodable>(_ elements: some Sequence<Element>) throws {
        var array = JSONArrayWriter(output: self)
        for element in elements { try array.add(element) }
        try array.end()
    }
}
