import TrendyDomain

/// New values for some fields of a record, by wire name; null clears.
struct FieldChanges {
    private let changes: [String: JSONValue]

    init(_ changes: [String: JSONValue]) {
        self.changes = changes
    }

    /// The record with the changes made.
    ///
    /// - Throws: ``ValidationError`` that names each unknown field, and each field whose value does not fit.
    func applied<Entity: SyncEntity>(to entity: Entity) throws -> Entity {
        var checks = FieldChecks()
        for field in changes.keys.sorted() {
            guard field != "id" else {
                checks.require(false, field, "cannot be changed")
                continue
            }
            let isKnown = Entity.fields.contains(field)
            checks.require(isKnown, field, "is no field of this kind of record", code: "unknown")
            if isKnown, !fits(field, entity) {
                let problem = changes[field] == .null ? "cannot be empty" : "cannot have such a value"
                checks.require(false, field, problem)
            }
        }
        try checks.throwIfAny(for: Entity.entityType)
        return try Patch<Entity>(changes: changes).applied(to: entity)
    }

    private func fits<Entity: SyncEntity>(_ field: String, _ entity: Entity) -> Bool {
        let alone = Patch<Entity>(changes: changes.filter { $0.key == field })
        return (try? alone.applied(to: entity)) != nil
    }
}
