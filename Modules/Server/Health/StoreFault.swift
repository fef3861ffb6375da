/// Why a store cannot be used just now.
public struct StoreFault: Error, Sendable, Hashable {
    /// The reason as a clause that anybody may read: it names no files, hosts or people.
    public var reason: String
    /// What the database has said, for the log.
    public var cause: String?

    /// Makes a fault of its parts.
    public init(_ reason: String, cause: String? = nil) {
        self.reason = reason
        self.cause = cause
    }

    init(_ error: any Error) {
        self = error as? StoreFault ?? StoreFault("the database cannot be used", cause: "\(error)")
    }
}
