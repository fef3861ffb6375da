import TrendyDomain

/// The values from elsewhere that lost against those of this device, and are listed as conflicts.
struct LostValues {
    private var conflicts: [SyncConflict] = []

    /// None.
    init() {}

    init(_ store: any DataStoreProtocol) throws {
        conflicts = try store.fetchDocuments(SyncConflict.self)
            .filter { $0.kind == .field && $0.losingSide != .here }
            .sorted { ($0.detectedAt, $0.id) < ($1.detectedAt, $1.id) }
    }

    /// The conflicts that an edit of a field has won, the latest last.
    ///
    /// What was found before the edit was made was won by another one of the same value.
    ///
    /// - Parameter value: What the edit has made of the field, or of a key of it.
    func against(_ value: JSONValue, at place: FieldPath, of step: UndoStep) -> [SyncConflict] {
        conflicts.filter { conflict in
            if let at = step.at, conflict.detectedAt < at { return false }
            return conflict.entityType == step.entityType && conflict.entityId == step.id && conflict.place == place
                && conflict.localValue == value
        }
    }
}
