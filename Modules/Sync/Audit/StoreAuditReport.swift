public import TrendyDomain

/// What a comparison of a device's records with the server's came to; see ``SyncEngine/audit(repairing:)``.
public struct StoreAuditReport: Sendable, Hashable {
    /// What a kind of record has on both sides.
    public struct Kind: Sendable, Hashable {
        /// The kind.
        public var entityType: EntityType
        /// How many records are here.
        public var here = 0
        /// How many records the server has that can be used here.
        public var there = 0
        /// How many records the server has that cannot be used here.
        public var unusable = 0
        /// How many records are left out, because a change that makes or deletes them waits here.
        public var waiting = 0
        /// The digest of what this device expects the server to have: its records without the edits that wait.
        public var digestHere = RecordDigest()
        /// The digest of the server's records, without those that are left out.
        public var digestThere = RecordDigest()
        /// The records that differ, by id.
        public var differences: [RecordDifference] = []

        /// True where the same records are on both sides.
        public var isEqual: Bool { digestHere == digestThere && differences.isEmpty }

        init(_ entityType: EntityType) {
            self.entityType = entityType
        }
    }

    /// What was compared, parents before children; less than all kinds where something ended it early.
    public var kinds: [Kind] = []
    /// True where this device has not fetched everything yet, so that there is nothing to compare: sync first.
    public var needsSync = false
    /// Whether differences were to be mended.
    public var isRepair: Bool
    /// What was received on the way, and why it ended early, where it did (`failure` and `error`).
    public var sync = SyncReport()

    init(isRepair: Bool) {
        self.isRepair = isRepair
    }

    /// The records that differ, of all kinds.
    public var differences: [RecordDifference] { kinds.flatMap(\.differences) }

    /// The differences that are still there.
    public var remaining: [RecordDifference] { differences.filter { !$0.outcome.isMended } }

    /// True where everything was compared, and nothing differs or all of it was mended.
    public var isClean: Bool { sync.failure == nil && !needsSync && remaining.isEmpty }
}

/// When all records of a device were compared with the server's, and what came of it.
public struct LastComparison: Codable, Sendable, Hashable {
    /// When the comparison ended.
    public var at: Timestamp
    /// How many records still differed.
    public var remaining: Int
    /// How many records differed before a repair; nil where an older version wrote it down.
    public var found: Int?
}

/// A record that a device and the server have differently.
public struct RecordDifference: Sendable, Hashable {
    /// How the two sides differ.
    public enum Kind: Sendable, Hashable {
        /// Only this device has it.
        case onlyHere
        /// Only the server has it.
        case onlyThere
        /// Both have it, with other values in these fields.
        case fields([FieldDifference])
        /// This device has a row for it that is no record; with the reason.
        case unreadable(String)
    }

    /// What was done about it.
    public enum Outcome: Sendable, Hashable {
        /// It was found, and nothing was to be done.
        case found
        /// The server's version was put in here, beneath the edits that wait.
        case broughtIn
        /// Its creation was queued: the next sync sends it.
        case queued
        /// It was deleted on the server: it is parked, and the person decides.
        case parked
        /// Nothing could be done, for this reason.
        case left(String)

        /// True where the two sides agree by now, or do after the next sync or the person's decision.
        public var isMended: Bool {
            switch self {
            case .found, .left: false
            case .broughtIn, .queued, .parked: true
            }
        }
    }

    /// The kind of the record.
    public var entityType: EntityType
    /// The record's id.
    public var entityId: String
    /// How the two sides differ.
    public var kind: Kind
    /// What was done about it.
    public var outcome = Outcome.found

    init(_ entityType: EntityType, _ entityId: String, _ kind: Kind) {
        self.entityType = entityType
        self.entityId = entityId
        self.kind = kind
    }
}

/// A field that has one value on a device and another on the server.
public struct FieldDifference: Sendable, Hashable {
    /// The field's name on the wire.
    public var field: String
    /// What this device expects the server to have; null for nothing.
    public var here: JSONValue
    /// What the server has; null for nothing.
    public var there: JSONValue

    /// Makes a difference of its parts.
    public init(field: String, here: JSONValue, there: JSONValue) {
        self.field = field
        self.here = here
        self.there = there
    }
}
