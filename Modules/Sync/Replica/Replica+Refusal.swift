import TrendyDomain

/// What becomes of an operation that the server refuses.
extension Replica {
    /// Parks what the server refuses, unless an edit that was made meanwhile changes what the server complains of. Then both
    /// go as one. Where the server does not say of what it complains, every edit may change that.
    ///
    /// - Returns: Whether they go as one, so that something is still to be sent.
    func refuse(_ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ reason: ParkReason) throws -> Bool {
        if try correct(copy, record, index, reason) { return true }
        try park(copy, record, index, reason)
        return false
    }

    /// Lets a refused operation and the edits that were made since go as one, if an edit changes what was refused.
    ///
    /// - Returns: Whether they do.
    func correct(_ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ reason: ParkReason) throws -> Bool {
        guard let (corrected, correction) = try correcting(copy, record, index, reason) else { return false }
        let replaced = record.operations[index...].map(\.key)
        try saveJoined(copy, as: corrected, under: correction, insteadOf: replaced)
        return true
    }

    /// Joins a refused operation and the edits behind it.
    ///
    /// - Returns: The record with the joined operation, and the key of that operation; nil if no edit changes what was refused.
    private func correcting(
        _ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ reason: ParkReason
    ) throws -> (record: OpenRecord, key: String)? {
        let (refused, edits) = (record.operations[index], record.operations[(index + 1)...].map(\.change))
        let fields = Set(reason.fields.map(\.field))
        let isOfAll = fields.isEmpty && [.blamed, .rejected].contains(reason.code)
        let isCorrected = edits.contains { edit in
            guard case .update(let patch) = edit else { return false }
            return patch.values.keys.contains { isOfAll || fields.contains($0.field) }
        }
        if !isCorrected { return nil }
        var corrected = record
        corrected.operations[index].isParked = true
        let nothing = OpenOperation.question(identifiers.makeId())
        guard try supersede([refused.key], of: copy, in: &corrected, by: nothing) != nil,
            corrected.operations.last?.change != refused.change
        else { return nil }
        return (corrected, nothing.key)
    }

    /// Parks an operation, and the later ones of its record with it.
    func park(_ copy: LocalCopy, _ record: OpenRecord, _ index: Int, _ reason: ParkReason) throws {
        var record = record
        for later in record.operations.indices[index...]
        where later == index || record.operations[later].change != .delete {
            record.operations[later].isParked = true
        }
        let key = record.operations[index].key
        try save(copy, as: record, parked: { $0.key == key ? reason : .waiting })
    }
}
