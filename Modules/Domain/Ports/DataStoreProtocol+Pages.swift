extension DataStoreProtocol {
    /// Reads all records of the kind for each page; a store that can do better has a method of its own.
    public func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, after id: String?, limit: Int
    ) throws -> [LocalRecord<Entity>] {
        try fetch(type, where: nil).map(\.id).page(after: id, limit).compactMap { try find(type, id: $0) }
    }

    /// Reads the ids of all staged records for each page; a store that can do better has a method of its own.
    public func fetchStaged<Entity: SyncEntity>(
        _ type: Entity.Type, after id: String?, limit: Int
    ) throws -> [Remote<Entity>] {
        try stagedIds(type).page(after: id, limit).compactMap { try findStaged(type, id: $0) }
    }
}

extension [String] {
    /// The first of those that follow a text, in the order of their bytes.
    fileprivate func page(after id: String?, _ limit: Int) -> [String] {
        let rest = id.map { id in filter { id.utf8.lexicographicallyPrecedes($0.utf8) } } ?? self
        return Array(rest.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(Swift.max(0, limit)))
    }
}
