import Foundation
import TrendyDomain

extension InMemoryDataStore {
    func metadata(_ key: String) throws -> String? {
        contents.metadata[key]
    }

    func setMetadata(_ key: String, _ value: String?) throws {
        try write { $0.metadata[key] = value }
    }

    func putDocument<Document: StoredDocument>(_ document: Document) throws {
        let json: Data
        do {
            json = try WireCoding.encode(document)
        } catch {
            throw StoreError.failed("the \(Document.collection) \(document.id) cannot be stored: \(error)")
        }
        try write { $0.documents[Document.collection, default: [:]][document.id] = json }
    }

    func findDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws -> Document? {
        try contents.documents[Document.collection]?[id].map { try Self.document(type, id, $0) }
    }

    func fetchDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> [Document] {
        let stored = contents.documents[Document.collection] ?? [:]
        return try stored.sorted { $0.key < $1.key }.map { try Self.document(type, $0.key, $0.value) }
    }

    private static func document<Document: StoredDocument>(
        _ type: Document.Type, _ id: String, _ json: Data
    ) throws -> Document {
        do {
            return try WireCoding.decode(type, from: json)
        } catch {
            throw StoreError.unreadableRecord(
                entityType: EntityType(rawValue: Document.collection), id: id, reason: "\(error)")
        }
    }

    func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int {
        contents.documents[Document.collection]?.count ?? 0
    }

    func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws {
        try write { $0.documents[Document.collection]?[id] = nil }
    }
}
