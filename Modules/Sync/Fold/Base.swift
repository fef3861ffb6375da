import TrendyDomain

/// What the server has of a record.
enum Base: Sendable, Hashable {
    /// The server has never had the record, or has forgotten it.
    case nothing
    /// The whole record, with the fields that this version does not know.
    case document(RecordDocument, revision: Int64)
    /// The server has deleted the record. The last known version stays while edits are open, because they began from
    /// it.
    case tombstone(revision: Int64, last: RecordDocument? = nil)

    /// The revision of the server's version; 0 if the server has nothing or the revision is not known, negative if the
    /// version is of a former epoch.
    var revision: Int64 {
        switch self {
        case .nothing: 0
        case .document(_, let revision), .tombstone(let revision, _): revision
        }
    }

    /// Whether the server may have another version: nothing that the device will receive tells of it.
    var isOutdated: Bool { if case .document(_, 0) = self { true } else { false } }

    /// The base with a revision that is not known.
    var outdated: Base { if case .document(let document, _) = self { .document(document, revision: 0) } else { self } }

    /// Whether the record was changed later than in another version, by the server's clock.
    func isNewer(than other: Base) -> Bool {
        guard let here = document?.updatedAt, let there = other.document?.updatedAt else { return false }
        return there < here
    }

    /// The version from which edits began.
    var document: RecordDocument? {
        switch self {
        case .nothing: nil
        case .document(let document, _): document
        case .tombstone(_, let last): last
        }
    }
}

/// A record as readers see it.
enum VisibleRecord: Sendable, Hashable {
    case absent
    case document(RecordDocument)
    case deleted

    var document: RecordDocument? {
        if case .document(let document) = self { document } else { nil }
    }
}

extension Base {
    /// What is visible of a record: its base with its open operations carried out, in their order.
    ///
    /// An edit of a record that was deleted elsewhere shows the last known version with the edit. An edit of a record
    /// that is not there shows nothing. A create of a record that is there, because it has arrived and others have
    /// changed the record since, changes what it says.
    ///
    /// - Parameter deletions: The open deletions of its parents, in their order.
    func fold(
        _ operations: some Sequence<OpenOperation>, _ shape: RecordShape, with deletions: [ParentDeletion] = []
    ) -> VisibleRecord {
        var visible: VisibleRecord
        var former: RecordDocument?
        var deletions = deletions[...]
        switch self {
        case .nothing: visible = .absent
        case .document(let document, _): visible = .document(document)
        case .tombstone(_, let last): (visible, former) = (.deleted, last)
        }
        for operation in operations {
            while let deletion = deletions.first, deletion.position < operation.position {
                visible = deletion.applied(to: visible)
                deletions.removeFirst()
            }
            switch operation.change {
            case .create(let document):
                let made = visible.document.map { FieldPatch(whole: document, shape: shape).applied(to: $0) }
                visible = .document(made ?? document)
            case .update(let patch):
                if let edited = visible.document ?? former { visible = .document(patch.applied(to: edited)) }
            case .delete: visible = .deleted
            }
            former = nil
        }
        return deletions.reduce(visible) { $1.applied(to: $0) }
    }
}
