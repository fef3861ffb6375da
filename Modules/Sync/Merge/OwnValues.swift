import TrendyDomain

/// What a device's own edits, which the server has taken, began from and led to, as far as a version of their record
/// comes from before them or is their answer.
///
/// A feed that is read again shows such versions after newer ones. They are no news to the edits that began later.
struct OwnValues {
    private var values: [String: Set<JSONValue>] = [:]

    /// Knows of no edits.
    init() {}

    /// - Parameters:
    ///   - version: The version that is looked at.
    ///   - changes: Changes of its record; those that the server has not taken are passed over.
    init(before version: ServerFields, accepted changes: [PendingMutation]) throws {
        guard let made = version.updatedAt else { return }
        for edit in changes where edit.state == .accepted && edit.operation == .update {
            guard let answered = edit.answer?.updatedAt, answered >= made else { continue }
            // Only the answer itself shows what the edit led to; what comes before shows what it began from.
            let shown = answered == made ? try edit.fields() : try edit.baseValues()
            for (field, value) in shown { values[field, default: []].insert(value) }
        }
    }

    /// Whether one of the edits has made a field that, or found it so.
    func contains(_ value: JSONValue, of field: String) -> Bool {
        values[field]?.contains(value) ?? false
    }
}

extension PendingMutation {
    /// The fields that an update sets, as they are sent.
    fileprivate func fields() throws -> [String: JSONValue] {
        try payload.map { try WireCoding.decode([String: JSONValue].self, from: $0) } ?? [:]
    }
}
