import TrendyDomain

/// Writes an array of JSON element by element, one a line, so that it need not be in memory as a whole.
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

    /// Closes the array, without a line end after it where `isNested`.
    func end(isNested: Bool = false) throws {
        try output.write((isEmpty ? "[]" : "\n]") + (isNested ? "" : "\n"))
    }
}
