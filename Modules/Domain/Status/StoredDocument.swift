/// Something that an engine keeps beside the records: a conflict, a quarantined change, an entry of the history.
public protocol StoredDocument: Codable, Sendable, Identifiable where ID == String {
    /// The name of the collection that it is kept in.
    static var collection: String { get }
}
