import HTTPTypes

extension HTTPFields {
    /// The value of the header of that name.
    func value(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { self[$0] }
    }

    /// Sets the header of that name.
    mutating func set(_ name: String, _ value: String) {
        if let name = HTTPField.Name(name) { self[name] = value }
    }
}

/// The names of headers that the standard list lacks.
enum HeaderName {
    static let idempotencyKey = "Idempotency-Key"
    static let idempotencyReplayed = "X-Idempotency-Replayed"
    static let requestId = "X-Request-Id"
}
