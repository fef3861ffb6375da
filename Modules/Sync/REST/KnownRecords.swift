import TrendyDomain

/// Tells a gateway what the device has of the server's records.
struct KnownRecords: Sendable {
    /// The bases of records of a kind, by their ids; without those of which the device has none.
    var versions: @Sendable (EntityType, [String]) throws -> [String: KnownVersion]
    /// The ids of the records of a kind that refer to a record of another kind.
    var children: @Sendable (EntityType, ParentReference, String) throws -> [String]
    /// The ids of a kind behind one, in their order, at most so many; also of records without a base.
    var ids: @Sendable (EntityType, String?, Int) throws -> [String]
    /// The keys of the mutations of some records that are to be sent in this exchange: a person may have given up others
    /// since it began.
    var awaited: @Sendable (EntityType, [String]) throws -> Set<String>
}

/// A version of a record: what a device has as its base, or what the server has now.
struct KnownVersion: Sendable, Hashable {
    /// The record with `created_at` and `updated_at`; nil where there is none: for a base that is a tombstone.
    var document: RecordDocument?
    /// The revision of the version, or of the tombstone; 0 where it is of another epoch.
    var revision: Int64
    /// The revision with which the record was made; nil where that is not known.
    var createdRevision: Int64?
}
