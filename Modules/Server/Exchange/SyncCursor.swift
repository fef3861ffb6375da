import TrendyDomain

/// A place in the changes of an account, or in a snapshot of it. To a device it is a text without a meaning.
enum SyncCursor: Hashable {
    /// Everything up to that revision has been read.
    case changes(after: Int64)
    /// The snapshot that was begun at that head has been read up to this place in the list of a kind.
    case snapshot(head: Int64, entityType: EntityType, after: RecordPosition)

    /// The revision up to which the device has read, or the head at which its snapshot was begun.
    var revision: Int64 {
        switch self {
        case .changes(let revision): revision
        case .snapshot(let head, _, _): head
        }
    }

    /// - Throws: ``ServerProblem`` where the text is none that this server has given.
    init(_ text: String) throws(ServerProblem) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 1, let revision = Int64(text), revision >= 0 {
            self = .changes(after: revision)
        } else if parts.count == 4, let head = Int64(parts[0]), head >= 0, let order = Int64(parts[2]) {
            let position = RecordPosition(order: order, id: String(parts[3]))
            self = .snapshot(head: head, entityType: EntityType(rawValue: String(parts[1])), after: position)
        } else {
            throw ServerProblem.field("cursor", "is none of this server; send the one of its last answer, or null")
        }
    }

    /// The text that a device gets.
    var text: String {
        switch self {
        case .changes(let revision): "\(revision)"
        case .snapshot(let head, let type, let place): "\(head).\(type.rawValue).\(place.order).\(place.id)"
        }
    }
}
