public import TrendyDomain

/// The checks that every implementation of ``DataStoreProtocol`` must pass.
///
/// It needs no test library; with Swift Testing, run it like this:
///
/// ```swift
/// let contract = DataStoreContract { schema in try MyStoreFactory(schema: schema) }
///
/// @Test(arguments: DataStoreContract.checks)
/// func keepsTheContract(_ check: DataStoreContract.Check) throws { try contract.run(check) }
/// ```
public struct DataStoreContract: Sendable {
    /// One promise of a store.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise, as a sentence.
        public let name: String
        let body: @Sendable (any DataStoreFactory) throws -> Void

        /// The name of the check.
        public var description: String { name }

        init(_ name: String, _ body: @escaping @Sendable (any DataStoreFactory) throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let makeFactory: @Sendable (EntitySchema) throws -> any DataStoreFactory

    /// Makes the suite for an implementation.
    ///
    /// - Parameter makeFactory: Makes a new, empty store with tables for the kinds in the schema: Trendy's
    ///   own and ``ContractItem``. Its units should wait for the write lock no longer than a second or so,
    ///   because some checks wait until they give up.
    public init(makeFactory: @escaping @Sendable (EntitySchema) throws -> any DataStoreFactory) {
        self.makeFactory = makeFactory
    }

    /// All checks.
    public static let checks: [Check] =
        unitOfWorkChecks + lockChecks + recordChecks + valueChecks + queueChecks + queryChecks
        + memoryChecks + idChecks + versionChecks + baseChecks + markChecks + outboxChecks

    /// Runs a check against a new store.
    ///
    /// - Throws: ``ContractViolation`` where the promise is broken, or what the store threw.
    public func run(_ check: Check) throws {
        let schema = try EntitySchema(EntitySchema.trendy.types + [ContractItem.self])
        try check.body(makeFactory(schema))
    }
}

/// Says which promise a store broke, and how.
public struct ContractViolation: Error, CustomStringConvertible {
    /// What the store did, and what it should have done.
    public let description: String
}

/// A kind of record that only the contract knows, with one field of every sort.
public struct ContractItem: SyncEntity {
    /// The record's id.
    public var id: String
    /// A text.
    public var name: String
    /// The id of a parent, or none.
    public var ownerId: String?
    /// An integer.
    public var amount: Int
    /// A number, or none.
    public var ratio: Double?
    /// A truth value.
    public var isDone: Bool
    /// A moment.
    public var madeAt: Timestamp
    /// A list.
    public var tags: [String]
    /// An object, or none.
    public var sizes: [String: Int]?

    /// Makes an item; what is left out is empty.
    public init(
        id: String, name: String, ownerId: String? = nil, amount: Int = 0, ratio: Double? = nil, isDone: Bool = false,
        madeAt: Timestamp = Timestamp(milliseconds: 0), tags: [String] = [], sizes: [String: Int]? = nil
    ) {
        self.id = id
        self.name = name
        self.ownerId = ownerId
        self.amount = amount
        self.ratio = ratio
        self.isDone = isDone
        self.madeAt = madeAt
        self.tags = tags
        self.sizes = sizes
    }

    /// The kind's name on the wire.
    public static let entityType: EntityType = "contract_item"
    /// The names of all fields on the wire.
    public static let fields = CodingKeys.allCases.map(\.stringValue)
    /// The fields that refer to other records.
    public static let parents = [ParentReference(field: "owner_id", entityType: .eventType, onDelete: .cascade)]

    /// The names of the fields on the wire.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        /// The fields `id` and `name`.
        case id, name
        /// The field `owner_id`.
        case ownerId = "owner_id"
        /// The fields `amount` and `ratio`.
        case amount, ratio
        /// The field `is_done`.
        case isDone = "is_done"
        /// The field `made_at`.
        case madeAt = "made_at"
        /// The fields `tags` and `sizes`.
        case tags, sizes
    }
}

/// A kind of record that no store has a table for.
struct UnknownItem: SyncEntity {
    var id: String

    static let entityType: EntityType = "unknown_item"
    static let fields = ["id"]
}
