import TrendyDomain

/// A change made here and one made elsewhere that could not both stand.
enum MergeConflict: Sendable, Hashable {
    /// Both sides changed a value: ours stands, theirs is kept here.
    case value(FieldPath, ours: JSONValue, theirs: JSONValue, base: JSONValue)
    /// It was edited or made here and deleted elsewhere: ours is parked.
    case deletedElsewhere(ours: RecordDocument)
    /// It was deleted here and edited elsewhere: the deletion stands, their version is kept here.
    case editedElsewhere(theirs: RecordDocument)

    /// The change that gives the side that lost its place back: of a value, for exactly that field or key; of a record,
    /// its version as a whole.
    ///
    /// A record comes back as a create after its deletion. Operations of it that are parked have to be dropped first.
    func restored() -> OpenOperation.Change {
        switch self {
        case .value(let path, _, let theirs, _): .update(FieldPatch([path: theirs]))
        case .deletedElsewhere(let ours): .create(ours)
        case .editedElsewhere(let theirs): .create(theirs)
        }
    }
}

/// What a merge leaves.
struct MergeResult: Sendable, Hashable {
    /// The server's version as the base, and the operations that are still to be sent from there.
    var record: OpenRecord
    /// The operations that have nothing left to send: they count as accepted.
    var answered: [OpenOperation] = []
    /// What the person is told, in the order of the fields.
    var conflicts: [MergeConflict] = []
}
