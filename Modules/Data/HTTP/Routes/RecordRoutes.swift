public import TrendyDomain

/// The routes of one kind of record. All paths are below the table's base path and begin with a slash.
public struct RecordRoutes: Sendable {
    /// How all records of a kind are listed.
    public enum Paging: Sendable, Hashable {
        /// All of them in one answer.
        ///
        /// Do not say so of a list that the backend divides: a resync removes what the list does not show. Such a
        /// backend is noticed only if it knows the contract's `offset`.
        case whole
        /// In pages of at most so many, by these two parameters.
        case offset(limit: Int, limitParameter: String = "limit", offsetParameter: String = "offset")
        /// In pages of at most so many, each naming the next: the member of the answer (a key, or several from the
        /// outside in) is what the parameter is given, and is missing, null or empty in the last page.
        ///
        /// The client follows them to the end, so that one ``APIClient/list(_:_:)`` brings all.
        case token(limit: Int, limitParameter: String = "limit", tokenParameter: String, next: [String])
    }

    /// Where a kind is listed and made beneath the records of another kind.
    public struct Nesting: Sendable, Hashable {
        /// The kind above.
        public var parent: EntityType
        /// The wire name of the field that holds the id of the record above.
        public var field: String
        /// The path, with `{parent}` in place of that id.
        public var path: String

        /// Describes the place.
        public init(parent: EntityType, field: String, path: String) {
            self.parent = parent
            self.field = field
            self.path = path
        }
    }

    /// Where many records are made with one request.
    public struct Batch: Sendable, Hashable {
        /// The path below the API's root.
        public var path: String
        /// The member of the body that holds the records.
        public var key: String
        /// The most records in one request.
        public var limit: Int

        /// Describes the route.
        public init(path: String, key: String, limit: Int) {
            self.path = path
            self.key = key
            self.limit = limit
        }
    }

    /// The path of the kind; one record is at `path/{id}`.
    public var path: String
    /// How a list is divided into pages.
    public var paging: Paging
    /// Set where the kind is listed and made beneath another; then ``paging`` is not used.
    public var nesting: Nesting?
    /// The route that makes many records at once, where there is one.
    public var batch: Batch?
    /// The parameter that asks for active records only; nil where there is none.
    public var activeParameter: String?
    /// The method that changes fields of a record.
    public var updateMethod: HTTPMethod
    /// The body of a listing.
    public var listBody: BodyMapping?
    /// The body of one record: of its creation, its change and the answers to them.
    public var recordBody: BodyMapping?
    /// The body of a change and of the answer to it, where that differs from ``recordBody``; nil where it does not.
    ///
    /// A change has only the fields that were changed, and a backend may want it in an envelope of its own:
    /// `{"changes": {…}}`. If its answer is that of ``recordBody``, combine the two: `BodyMapping(request:
    /// changes.request, response: record.response)`.
    public var updateBody: BodyMapping?
    /// The body of a batch: the request `{key: […]}`, and the answer as the contract has it.
    public var batchBody: BodyMapping?

    /// Describes the routes of a kind.
    public init(
        path: String, paging: Paging = .whole, nesting: Nesting? = nil, batch: Batch? = nil,
        activeParameter: String? = nil, updateMethod: HTTPMethod = .put, listBody: BodyMapping? = nil,
        recordBody: BodyMapping? = nil, batchBody: BodyMapping? = nil, updateBody: BodyMapping? = nil
    ) {
        self.path = path
        self.paging = paging
        self.nesting = nesting
        self.batch = batch
        self.activeParameter = activeParameter
        self.updateMethod = updateMethod
        self.listBody = listBody
        self.recordBody = recordBody
        self.batchBody = batchBody
        self.updateBody = updateBody
    }

    /// What the routes offer, as an engine asks for it.
    public var capabilities: RouteCapabilities {
        let listing: RouteCapabilities.Listing
        var fillsPages = false
        if nesting == nil, case .token = paging { fillsPages = true }
        switch (nesting, paging) {
        case (let nesting?, _): listing = .perParent(nesting.parent)
        case (nil, .whole), (nil, .token): listing = .whole
        case (nil, .offset(let limit, _, _)): listing = .paged(limit: limit)
        }
        return RouteCapabilities(listing: listing, batchLimit: batch?.limit ?? 0, fillsPages: fillsPages)
    }
}
