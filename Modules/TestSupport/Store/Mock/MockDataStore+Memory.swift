public import TrendyDomain

extension MockDataStore {
    public func metadata(_ key: String) throws -> String? {
        try record(Self.call(.metadata, key)) { try base.metadata(key) }
    }

    public func setMetadata(_ key: String, _ value: String?) throws {
        try record(Self.call(.setMetadata, key)) { try base.setMetadata(key, value) }
    }

    public func putDocument<Document: StoredDocument>(_ document: Document) throws {
        try record(Self.call(.putDocument, Document.collection)) { try base.putDocument(document) }
    }

    public func fetchDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> [Document] {
        try record(Self.call(.fetchDocuments, Document.collection)) { try base.fetchDocuments(type) }
    }

    public func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int {
        try record(Self.call(.countDocuments, Document.collection)) { try base.countDocuments(type) }
    }

    public func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws {
        try record(Self.call(.deleteDocument, Document.collection)) { try base.deleteDocument(type, id: id) }
    }

    private static func call(_ operation: MockStoreOperation, _ key: String) -> MockStoreCall {
        var call = MockStoreCall(operation)
        call.key = key
        return call
    }
}
