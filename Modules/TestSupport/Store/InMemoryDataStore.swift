import TrendyDomain

/// A unit of work on an in-memory store; made by ``InMemoryDataStoreFactory``.
final class InMemoryDataStore: DataStoreProtocol {
    private let factory: InMemoryDataStoreFactory
    /// The unit's own version of the store while it holds the write lock.
    private var draft: StoreContents?

    init(factory: InMemoryDataStoreFactory) {
        self.factory = factory
    }

    deinit {
        if draft != nil { factory.unlock(saving: nil) }
    }

    func begin() throws {
        if draft == nil { draft = try factory.lockForWriting() }
    }

    func save() throws {
        guard let saved = draft else { return }
        draft = nil
        factory.unlock(saving: saved)
    }

    /// What this unit sees.
    var contents: StoreContents { draft ?? factory.savedContents }

    /// Changes what this unit sees, under the write lock.
    func write<Result>(_ change: (inout StoreContents) throws -> Result) throws -> Result {
        // The draft is moved out meanwhile, so that its tables are changed in place and not copied again.
        var contents = try takeDraft()
        defer { draft = contents }
        return try change(&contents)
    }

    /// The name of a kind that the store has a table for.
    func table(of type: any SyncEntity.Type) throws -> EntityType { try table(of: type.entityType) }

    /// The same for the name of a kind.
    func table(of entityType: EntityType) throws -> EntityType {
        guard factory.schema.type(for: entityType) != nil else { throw StoreError.unknownEntityType(entityType) }
        return entityType
    }

    /// Throws for a condition on a field that the kind does not have.
    func check(_ condition: FieldCondition, of entityType: EntityType) throws {
        if factory.schema.type(for: entityType)?.fields.contains(condition.field) == true { return }
        throw StoreError.failed("\(entityType.displayName) records have no field '\(condition.field)'")
    }

    private func takeDraft() throws -> StoreContents {
        guard let held = draft else { return try factory.lockForWriting() }
        draft = nil
        return held
    }
}
