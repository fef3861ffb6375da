import TrendyDomain

/// A change made here and one made elsewhere that could not both stand.
enum MergeConflict: Sendable, Hashable {
    /// Both sides changed a value. Ours stands, and theirs is kept here.
    case value(FieldPath, ours: JSONValue, theirs: JSONValue, base: JSONValue)
    /// It was edited or made here and deleted elsewhere. Ours is parked.
    case deletedElsewhere(ours: RecordDocument)
    /// It was deleted here and edited elsewhere. The deletion stands, and their version is kept here.
    case editedElsewhere(theirs: RecordDocument)

    /// The change that restores the losing side: a patch of exactly that value, or a create of the whole record.
    ///
    /// A create follows the deletion. Parked operations of the record have to be dropped first.
    func restored() -> OpenOperation.Change {
        switch self {
        case .value(let path, _, let theirs, _): .update(FieldPatch([path: theirs]))
        case .deletedElsewhere(let ours): .create(ours)
        case .editedElsewhere(let theirs): .create(theirs)
        }
    }
}

struct MergeResult: Sendable, Hashable {
    /// The server's version as the base, and the operations that are still to be sent from there.
    var record: OpenRecord
    /// The operations with nothing left to send: they count as accepted.
    var answered: [OpenOperation] = []
    /// What the person is told, in the order of the fields.
    var conflicts: [MergeConflict] = []
}
