import TrendyDomain

/// What a listing writes down beside the records that it stages.
protocol ListingJournal {
    /// Notes how far the listing has come, in the save of the page.
    func note(_ progress: BootstrapProgress, in store: any DataStoreProtocol) throws

    /// Takes a listed element that is no record of its kind that can be used.
    func putAside(_ element: JSONValue, of entityType: EntityType, in store: any DataStoreProtocol) throws

    /// Forgets the elements of a kind that is listed anew from its beginning.
    func forgetElements(of entityType: EntityType, in store: any DataStoreProtocol) throws

    /// The ids of the elements that were put aside, where they have some: their children are listed all the same.
    func idsPutAside(of entityType: EntityType, in store: any DataStoreProtocol) throws -> [String]
}

/// The journal of a bootstrap: a listing that was cut off is taken up where it was, and what cannot be used waits aside.
struct BootstrapJournal: ListingJournal {
    let quarantine: Quarantine

    func note(_ progress: BootstrapProgress, in store: any DataStoreProtocol) throws {
        try store.setValue(progress, for: MetadataKey.bootstrap)
    }

    func putAside(_ element: JSONValue, of entityType: EntityType, in store: any DataStoreProtocol) throws {
        let reason = "the listed element is no \(entityType.displayName) that can be used"
        try quarantine.put(listed: element, of: entityType, reason: reason, in: store)
    }

    func forgetElements(of entityType: EntityType, in store: any DataStoreProtocol) throws {
        try quarantine.dropListed(of: entityType, in: store)
    }

    func idsPutAside(of entityType: EntityType, in store: any DataStoreProtocol) throws -> [String] {
        try quarantine.listedIds(of: entityType, in: store)
    }
}
