public import TrendyDomain

extension MockDataStore {
    /// Reads a value; the call's ``MockStoreCall/key`` is its name.
    public func metadata(_ key: String) throws -> String? {
        try record(Self.call(.metadata, key)) { try base.metadata(key) }
    }

    /// Sets or removes a value; the call has its name as ``MockStoreCall/key`` and not the value.
    public func setMetadata(_ key: String, _ value: String?) throws {
        try record(Self.call(.setMetadata, key)) { try base.setMetadata(key, value) }
    }

    /// Puts a document in; the call's ``MockStoreCall/key`` is the collection, and its id is not kept.
    public func putDocument<Document: StoredDocument>(_ document: Document) throws {
        try record(Self.call(.putDocument, Document.collection)) { try base.putDocument(document) }
    }

    /// Reads a document; the call's ``MockStoreCall/key`` is the collection, and its id is not kept.
    public func findDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws -> Document? {
        try record(Self.call(.findDocument, Document.collection)) { try base.findDocument(type, id: id) }
    }

    /// Reads a collection, whose name is the call's ``MockStoreCall/key``.
    public func fetchDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> [Document] {
        try record(Self.call(.fetchDocuments, Document.collection)) { try base.fetchDocuments(type) }
    }

    /// Counts a collection, whose name is the call's ``MockStoreCall/key``.
    public func countDocuments<Document: StoredDocument>(_ type: Document.Type) throws -> Int {
        try record(Self.call(.countDocuments, Document.collection)) { try base.countDocuments(type) }
    }

    /// Takes a document out; the call's ``MockStoreCall/key`` is the collection, and its id is not kept.
    public func deleteDocument<Document: StoredDocument>(_ type: Document.Type, id: String) throws {
        try record(Self.call(.deleteDocument, Document.collection)) { try base.deleteDocument(type, id: id) }
    }

    private static func call(_ operation: MockStoreOperation, _ key: String) -> MockStoreCall {
        var call = MockStoreCall(operation)
        call.key = key
        return call
    }
}
