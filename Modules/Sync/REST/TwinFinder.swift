import TrendyDomain

/// Finds the record on a server that a refused new one stands for.
final class TwinFinder {
    private let exchange: RESTExchange
    private var listed: [RecordKey: [RecordDocument]] = [:]

    /// So many pages are looked through of a kind that is not listed in one piece.
    private static let pageLimit = 10

    init(_ exchange: RESTExchange) { self.exchange = exchange }

    /// The record that is equal in the natural key of the kind, in the recognition key, or, where the kind has no
    /// natural key, in everything but the id; nil where none was found.
    func twin(of document: RecordDocument, _ kind: RESTKind) async throws -> RecordDocument? {
        var parent: String?
        if case .perParent(let type) = exchange.records.client.capabilities(of: kind.entityType).listing {
            parent = kind.parents(of: document).first { $0.key.entityType == type }?.key.entityId
        }
        // What was listed may have been changed by this exchange, and what it has made was not listed.
        let made = exchange.observed.filter { $0.key.entityType == kind.entityType }
        let candidates = try await records(kind, beneath: parent).filter { made[kind.key(of: $0)] == nil }
        return (made.values.compactMap(\.document) + candidates).first { kind.isTwin($0, document) }
    }

    private func records(_ kind: RESTKind, beneath parent: String?) async throws -> [RecordDocument] {
        let name = RecordKey(entityType: kind.entityType, entityId: parent ?? "")
        if let known = listed[name] { return known }
        var documents: [RecordDocument] = []
        if case .paged(let limit) = exchange.records.client.capabilities(of: kind.entityType).listing {
            for _ in 0..<Self.pageLimit {
                let request = ListRequest(limit: limit, offset: documents.count)
                let page = try await exchange.ask { try await exchange.records.list(kind.type, request) }.get()
                documents += page.documents
                if page.documents.count < limit { break }
            }
        } else {
            documents = try await RESTListing(exchange).whole(kind, beneath: parent).documents
        }
        listed[name] = documents.compactMap(kind.canonical)
        return listed[name] ?? []
    }
}

extension RESTKind {
    func key(of document: RecordDocument) -> RecordKey {
        RecordKey(entityType: entityType, entityId: document["id"]?.stringValue ?? "")
    }
}
