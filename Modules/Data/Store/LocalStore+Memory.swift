import Foundation
import GRDB
import TrendyDomain

extension LocalStore {
    func metadata(_ key: String) throws -> String? {
        try read { database in
            let statement = try database.prepared(
                "SELECT value FROM sync_metadata WHERE key = ?", [key.databaseValue])
            return try DatabaseValue.fetchOne(statement)?.text
        }
    }

    func setMetadata(_ key: String, _ value: String?) throws {
        try write { database in
            guard let value else {
                return try database.run("DELETE FROM sync_metadata WHERE key = ?", [key.databaseValue])
            }
            try database.run(
                "INSERT OR REPLACE INTO sync_metadata (key, value) VALUES (?, ?)", [key.databaseValue, .text(value)])
        }
    }

    func putDocument<Document: StoredDocument>(_ document: Document) throws {
        let json: Data
        do {
            json = try WireCoding.encode(document)
        } catch {
            throw StoreError.failed(
                "the \(Document.collection) \(document.id) cannot be stored: \(codingReason(error))")
        }
        let body = String(decoding: json, as: UTF8.self)
        try write { database in
            try database.run(
                "INSERT OR REPLACE INTO sync_document (collection, id, body) VALUES (?, ?, ?)",
                [Document.collection.databaseValue, document.id.databaseValue, body.databaseValue])
        }
    }

    func findDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws -> Document? {
        try read { database in
            let statement = try database.prepared(
                "SELECT body FROM sync_document WHERE collection = ? AND id = ?",
                [Document.collection.databaseValue, id.databaseValue])
            return try DatabaseValue.fetchOne(statement).map {
                try Self.document(type, id: id.databaseValue, body: $0)
            }
        }
    }

    func fetchDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> [Document] {
        try read { database in
            let statement = try database.prepared(
                "SELECT id, body FROM sync_document WHERE collection = ? ORDER BY id",
                [Document.collection.databaseValue])
            var documents: [Document] = []
            try statement.forEach {
                let row = statement.sqliteStatement
                documents.append(
                    try Self.document(
                        type, id: DatabaseValue(sqliteStatement: row, index: 0),
                        body: DatabaseValue(sqliteStatement: row, index: 1)))
            }
            return documents
        }
    }

    func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int {
        try read { database in
            let statement = try database.prepared(
                "SELECT count(*) FROM sync_document WHERE collection = ?", [Document.collection.databaseValue])
            return try Int.fetchOne(statement) ?? 0
        }
    }

    func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws {
        try write { database in
            try database.run(
                "DELETE FROM sync_document WHERE collection = ? AND id = ?",
                [Document.collection.databaseValue, id.databaseValue])
        }
    }

    private static func document<Document: StoredDocument>(
        _ type: Document.Type, id: DatabaseValue, body: DatabaseValue
    ) throws(StoreError) -> Document {
        do {
            return try WireCoding.decode(type, from: Data((body.text ?? "").utf8))
        } catch {
            throw .unreadableRecord(
                entityType: EntityType(rawValue: Document.collection), id: id.text ?? "?", reason: codingReason(error))
        }
    }
}
