import TrendyDomain

/// Finds the records on the server that can have the unique values of another record.
final class RESTRivals {
    private let exchange: RESTExchange
    /// The ids of records of kinds that are listed in pages, by their parents and unique values.
    private var holders: [RecordKey: [[JSONValue]: [String]]] = [:]

    init(_ exchange: RESTExchange) { self.exchange = exchange }

    /// The other records of a kind, or of the same parent, as far as they can have the same values.
    func others(than document: RecordDocument, _ kind: RESTKind) async throws -> [RecordDocument] {
        var parent: String?
        switch exchange.capabilities(kind).listing {
        case .paged: return try await knownRivals(of: document, kind)
        case .whole: break
        case .perParent(let type):
            parent = kind.parents(of: document).first { $0.key.entityType == type }?.key.id
        }
        return try await RESTListing(exchange).all(kind, beneath: parent).documents.filter { $0.id != document.id }
    }

    func isListedInPages(_ kind: RESTKind) -> Bool {
        if case .paged = exchange.capabilities(kind).listing { true } else { false }
    }

    /// The record of a kind that is listed in pages that has the unique values of another, by what the device knows and
    /// the server confirms.
    private func knownRivals(of document: RecordDocument, _ kind: RESTKind) async throws -> [RecordDocument] {
        guard let values = kind.uniqueValues(of: document),
            let reference = kind.type.parents.first(where: { kind.uniqueFields.contains($0.field) }),
            let parent = document[reference.field]?.stringValue
        else { return [] }
        let key = RecordKey(reference.entityType, parent)
        if holders[key] == nil { holders[key] = try uniqueValues(of: kind, beneath: parent, by: reference) }
        let rivals = (holders[key]?[values] ?? []).filter { $0 != document.id }
        guard let rival = rivals.first, case .success(.some(let there)) = try await exchange.look(kind, rival) else {
            return []
        }
        return [there]
    }

    /// The ids of the records beneath a parent that the device knows, by their unique values.
    private func uniqueValues(
        of kind: RESTKind, beneath parent: String, by reference: ParentReference
    ) throws -> [[JSONValue]: [String]] {
        var holders: [[JSONValue]: [String]] = [:]
        for ids in try exchange.device.children(kind.entityType, reference, parent).chunks(of: 500) {
            for (id, known) in try exchange.known(kind.entityType, ids) {
                guard let values = kind.uniqueValues(of: known.document) else { continue }
                holders[values, default: []].append(id)
            }
        }
        return holders
    }
}
