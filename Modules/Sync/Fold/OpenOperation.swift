import TrendyDomain

/// A change made here that the server has not answered yet.
struct OpenOperation: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case create(RecordDocument)
        case update(FieldPatch)
        case delete
    }

    /// The idempotency key, the same for every attempt, and for this change alone: an operation whose change is another
    /// is stored under another key. A parked operation that was refused goes on under another key too, because the
    /// server may have kept the refusal under this one.
    var key: String
    /// The place in the outbox.
    var position: Int64
    var change: Change
    /// It was sent, and no answer says yet whether it took effect. Only a merge changes it, no edit does.
    var isInFlight = false
    /// It waits for a person's decision. It stays visible.
    var isParked = false

    init(_ change: Change, key: String, position: Int64, isInFlight: Bool = false, isParked: Bool = false) {
        self.change = change
        self.key = key
        self.position = position
        self.isInFlight = isInFlight
        self.isParked = isParked
    }

    /// An edit that changes nothing: the server answers with the version that it has, where that is not the base.
    static func question(_ key: String) -> OpenOperation {
        OpenOperation(.update(FieldPatch()), key: key, position: .max)
    }
}

extension OpenOperation.Change {
    /// Whether it gives a field that value.
    func says(_ value: JSONValue, at path: FieldPath) -> Bool {
        switch self {
        case .create(let document): document[path] == value
        case .update(let patch): patch.values[path] == value
        case .delete: false
        }
    }

    /// Whether it is an edit that gives a field a value, or clears it.
    func edits(_ path: FieldPath) -> Bool {
        if case .update(let patch) = self { patch.values[path] != nil } else { false }
    }

    var isCreate: Bool {
        if case .create = self { true } else { false }
    }

    var isUpdate: Bool {
        if case .update = self { true } else { false }
    }
}
