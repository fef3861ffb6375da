public import TrendyDomain

/// Where the records of a kind are found over HTTP.
///
/// ```swift
/// RecordRoute(RecordKind(ShoppingItem.self), path: "shopping-items")
/// ```
public struct RecordRoute: Sendable {
    /// How many records a list has.
    public struct Paging: Sendable, Hashable {
        /// Where the request does not say; nil for all.
        public var standard: Int?
        /// At most.
        public var maximum: Int

        /// Sets how many records a page has when none are asked for, and at most.
        public init(standard: Int?, maximum: Int) {
            self.standard = standard
            self.maximum = maximum
        }
    }

    /// A parent beneath which records are listed and made.
    public struct Nesting: Sendable, Hashable {
        /// The path of the parents: "event-types".
        public var path: String
        /// The kind of the record that the path names first.
        public var parentType: EntityType
        /// The field that holds the parent's id.
        public var field: String

        /// Makes a nested path of its parts.
        public init(path: String, parentType: EntityType, field: String) {
            self.path = path
            self.parentType = parentType
            self.field = field
        }
    }

    /// The kind of the records.
    public var kind: RecordKind
    /// The path of the list: "events", beneath the parent where there is one.
    public var path: String
    /// The path of single records.
    public var itemPath: String
    /// The path below a parent, where there is one as well.
    public var nesting: Nesting?
    /// How many records are in a page.
    public var paging: Paging
    /// The member of the body that holds the records of a batch; nil where there are no batches.
    public var batchMember: String?
    /// Whether `?active=true` is understood.
    public var hasActiveFilter: Bool

    /// Makes a route; what is left out it does not have.
    public init(
        _ kind: RecordKind, path: String, itemPath: String? = nil, nesting: Nesting? = nil,
        paging: Paging = Paging(standard: nil, maximum: 1000), batchMember: String? = nil,
        hasActiveFilter: Bool = false
    ) {
        self.kind = kind
        self.path = path
        self.itemPath = itemPath ?? path
        self.nesting = nesting
        self.paging = paging
        self.batchMember = batchMember
        self.hasActiveFilter = hasActiveFilter
    }

    /// The path of the list with its parameter in braces.
    var listPath: String {
        nesting.map { "\(basePath)/\($0.path)/{id}/\(path)" } ?? "\(basePath)/\(path)"
    }
}

extension [RecordRoute] {
    /// The routes of the Trendy app's four kinds.
    public static let trendy: [RecordRoute] = [
        RecordRoute(
            .event, path: "events", paging: RecordRoute.Paging(standard: 50, maximum: 1000), batchMember: "events"),
        RecordRoute(.eventType, path: "event-types"),
        RecordRoute(
            .propertyDefinition, path: "properties", itemPath: "property-definitions",
            nesting: RecordRoute.Nesting(path: "event-types", parentType: .eventType, field: "event_type_id")),
        RecordRoute(.geofence, path: "geofences", hasActiveFilter: true),
    ]
}
