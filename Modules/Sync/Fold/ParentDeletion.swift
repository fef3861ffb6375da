import TrendyDomain

/// How open deletions of its parents change what readers see of a record.
///
/// The record itself does not change, so dropping a deletion shows it as before.
struct ParentDeletion: Sendable, Hashable {
    /// Whether the record is hidden with a parent.
    var isHidden = false
    /// The references to deleted parents, which show as null.
    var cleared: Set<String> = []

    /// - Parameters:
    ///   - child: The fold of the record's own operations.
    ///   - deleted: Whether a record is deleted by an open operation, or hidden itself: a hidden record hides its own
    ///     children.
    init(
        of child: RecordDocument, parents: [ParentReference], deleted: (_ kind: EntityType, _ id: String) -> Bool
    ) {
        for reference in parents {
            guard let id = child[reference.field]?.stringValue, deleted(reference.entityType, id) else { continue }
            switch reference.onDelete {
            case .cascade: isHidden = true
            case .clear: cleared.insert(reference.field)
            }
        }
    }

    /// The record as readers see it.
    func applied(to child: RecordDocument) -> VisibleRecord {
        guard !isHidden else { return .deleted }
        return .document(child.filter { !cleared.contains($0.key) })
    }
}
