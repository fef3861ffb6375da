import TrendyDomain

/// The journal of a comparison: it is not taken up where it was cut off, and puts nothing aside.
final class AuditJournal: ListingJournal {
    private var elements: [EntityType: (count: Int, ids: Set<String>)] = [:]

    /// How many listed elements of a kind cannot be used.
    func count(of entityType: EntityType) -> Int { elements[entityType]?.count ?? 0 }

    func note(_ progress: BootstrapProgress, in store: any DataStoreProtocol) {}

    func putAside(_ element: JSONValue, of entityType: EntityType, in store: any DataStoreProtocol) {
        elements[entityType, default: (0, [])].count += 1
        guard let id = element.objectValue?["id"]?.stringValue, !id.isEmpty else { return }
        elements[entityType]?.ids.insert(id)
    }

    func forgetElements(of entityType: EntityType, in store: any DataStoreProtocol) {
        elements[entityType] = nil
    }

    func idsPutAside(of entityType: EntityType, in store: any DataStoreProtocol) -> [String] {
        elements[entityType].map { Array($0.ids) } ?? []
    }
}
