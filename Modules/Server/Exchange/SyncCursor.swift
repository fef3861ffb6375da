import TrendyDomain

/// How far a device has read, with a proof that what it knows is of the account's history. To a device it is a text
/// without a meaning.
///
/// The proof is the head of the answer that brought the cursor, and the run of a server that had made it. Nothing in that
/// answer, or in one before it, has a greater revision.
struct SyncCursor: Hashable {
    /// A place in the changes of an account, or in a snapshot of it.
    enum Place: Hashable {
        /// Everything up to that revision has been read.
        case changes(after: Int64)
        /// The snapshot that was begun at that head has been read up to this place in the list of a kind.
        case snapshot(head: Int64, entityType: EntityType, after: RecordPosition)
    }

    private static let mark: Character = "~"

    var place: Place
    /// The run that had made the head; empty where the cursor is older than runs.
    var run = ""
    /// The revision of the latest change when the cursor was given.
    var head: Int64

    /// The cursor of an answer.
    init(_ place: Place, in history: AccountHistory) { (self.place, run, head) = (place, history.run, history.head) }

    /// The revision up to which the device has read, or the head at which its snapshot was begun.
    var revision: Int64 {
        switch place {
        case .changes(let revision): revision
        case .snapshot(let head, _, _): head
        }
    }

    /// - Throws: ``ServerProblem`` where the text is none that this server has given.
    init(_ text: String) throws(ServerProblem) {
        let parts = text.split(separator: Self.mark, omittingEmptySubsequences: false).map(String.init)
        guard let place = Place(parts[0]), parts.count <= 3 else { throw Self.strange }
        (self.place, head) = (place, 0)
        head = revision
        if parts.count > 1 { run = parts[1] }
        guard parts.count > 2 else { return }
        guard let number = Int64(parts[2]), number >= revision else { throw Self.strange }
        head = number
    }

    private static var strange: ServerProblem {
        ServerProblem.field("cursor", "is none of this server; send the one of its last answer, or null")
    }

    /// The text that a device gets.
    var text: String {
        let proof = head == revision ? run.isEmpty ? [] : [run] : [run, "\(head)"]
        return ([place.text] + proof).joined(separator: String(Self.mark))
    }
}

extension SyncCursor.Place {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 1, let revision = Int64(text), revision >= 0 {
            self = .changes(after: revision)
        } else if parts.count == 4, let head = Int64(parts[0]), head >= 0, let order = Int64(parts[2]) {
            let position = RecordPosition(order: order, id: String(parts[3]))
            self = .snapshot(head: head, entityType: EntityType(rawValue: String(parts[1])), after: position)
        } else {
            return nil
        }
    }

    fileprivate var text: String {
        switch self {
        case .changes(let revision): "\(revision)"
        case .snapshot(let head, let type, let place): "\(head).\(type.rawValue).\(place.order).\(place.id)"
        }
    }
}
