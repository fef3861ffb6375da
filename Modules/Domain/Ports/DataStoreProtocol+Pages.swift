extension DataStoreProtocol {
    /// Reads all records of the kind for each page; a store that can do better has a method of its own.
    public func fetch<Entity: SyncEntity>(
        _ type: Entity.Type, after id: String?, limit: Int
    ) throws -> [LocalRecord<Entity>] {
        try fetch(type, where: nil).map(\.id).page(after: id, limit).compactMap { try find(type, id: $0) }
    }
}

extension [String] {
    /// The first of the ids that follow one.
    fileprivate func page(after id: String?, _ limit: Int) -> [String] {
        let rest = id.map { id in filter { IdOrder.precedes(id, $0) } } ?? self
        return Array(rest.sorted(by: IdOrder.precedes).prefix(Swift.max(0, limit)))
    }
}
