import TrendyDomain

/// What a record has to fulfil before it is kept.
extension AccountWriter {
    /// How far the clock of the device that made an id may be ahead, in milliseconds.
    private static let toleratedClockLead: Int64 = 60_000

    /// The id is a UUID of version 7.
    ///
    /// - Returns: The moment at which it was made, by the clock of whoever made it.
    @discardableResult
    func checkId(_ id: String) throws -> Timestamp {
        guard let made = UUIDv7(id)?.timestamp else {
            throw ServerProblem.field("id", "must be a UUID of version 7", code: "invalid_uuid", kind: .invalidUUID)
        }
        return made
    }

    /// The id is a UUID of version 7 that was not made ahead of time. The older routes demand that.
    func checkClock(of id: String) throws {
        let made = try checkId(id)
        guard made <= now.advanced(byMilliseconds: Self.toleratedClockLead) else {
            throw ServerProblem.field(
                "id", "was made more than a minute ahead of the server's clock; check the clock of the device",
                code: "future_timestamp", kind: .futureTimestamp)
        }
    }

    /// Every parent is there, and no other record has the natural key or the upsert key.
    ///
    /// A record keeps a natural key that it has already: there can be two of one name that were made when names were
    /// compared by another rule.
    ///
    /// - Parameter old: The version before; nil for a new record.
    func check(_ prepared: PreparedRecord, _ kind: RecordKind, over old: StoredRecord?) throws {
        let missing = try missingParents(of: prepared, kind)
        guard missing.isEmpty else {
            let error = ValidationError(entityType: kind.entityType, fields: missing)
            throw ServerProblem(.validation, error.description, errors: missing)
        }
        let type = kind.entityType
        if let key = prepared.index.naturalKey, let id = try holder(of: UniqueKey(type, .natural, key)),
            id != prepared.id, try !kind.has(key, old)
        {
            let fields = kind.type.naturalKey.joined(separator: " and ")
            let error = FieldError(
                field: kind.type.naturalKey.last ?? "", message: "is taken by another record",
                code: FieldError.duplicate)
            throw ServerProblem(
                .conflict, "another \(type.displayName) has the same \(fields): \(id)", errors: [error])
        }
        if let key = prepared.index.upsertKey, let id = try holder(of: UniqueKey(type, .upsert, key)), id != prepared.id
        {
            throw ServerProblem(.conflict, "the \(type.displayName) \(id) stands for the same thing")
        }
    }
}

extension RecordKind {
    /// Whether a record has a natural key.
    fileprivate func has(_ key: String, _ record: StoredRecord?) throws -> Bool {
        guard let document = record?.document else { return false }
        return try codec.changed(document, to: [:]).index.naturalKey == key
    }
}
