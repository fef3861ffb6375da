/// The part of a device's store that the exchange works with: the server's versions, and sets of records at once.
///
/// Visible records are in the tables that readers use. If the server's version of a record is another, it is kept
/// beside it as the record's base (``RecordBase``). A record without a base whose status is ``SyncStatus/synced`` is
/// its own base. The server has nothing of any other record without a base.
///
/// Lists of ids are in the order of ``IdOrder``. Everything belongs to the unit of work, and every method throws
/// ``StoreError``. Unknown ids are ignored.
public protocol VersionStore: AnyObject {
    // MARK: Records

    /// The records with these ids, by id.
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws -> [String: LocalRecord<Entity>]

    /// Status and revisions of the records with these ids, by id, without reading the records.
    func standings(_ entityType: EntityType, ids: [String]) throws -> [String: RecordStanding]

    /// The ids of records whose field has a value, in the order of the ids; at most `limit`. A condition on a field
    /// that the kind does not have is an error.
    func ids(_ entityType: EntityType, where condition: FieldCondition, limit: Int) throws -> [String]

    /// Puts records in, in place of those with the same ids.
    func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws

    /// Removes records.
    func delete(_ entityType: EntityType, ids: [String]) throws

    /// Sets records to synced, with what the server says of them.
    func confirm(_ entityType: EntityType, _ confirmations: [RecordConfirmation]) throws

    // MARK: Bases

    /// The bases of the records with these ids, by id.
    func bases(_ entityType: EntityType, ids: [String]) throws -> [String: RecordBase]

    /// The ids of records whose base has a value in a field, in the order of the ids.
    ///
    /// Of a deleted base, that is the last known version, if there is one.
    func baseIds(_ entityType: EntityType, where condition: FieldCondition) throws -> [String]

    /// Puts bases in, in place of those of the same records.
    func putBases(_ bases: [RecordBase]) throws

    /// Removes the bases of records.
    func deleteBases(_ entityType: EntityType, ids: [String]) throws

    /// Makes the revisions of all records and bases void, because the server counts otherwise from now on. All created
    /// revisions become 0.
    ///
    /// - Parameter keepingFormer: Whether the present history goes on from a revision of the former one. Then the revisions
    ///   become negative, and those that are negative already stay. Otherwise they become 0.
    func voidRevisions(keepingFormer: Bool) throws

    // MARK: Marks

    /// Marks records of a kind as shown by a resync, whether they are here or not.
    func mark(_ entityType: EntityType, ids: [String]) throws

    /// The ids of records and bases of a kind that are not marked and come after one, in the order of the ids; at
    /// most `limit`.
    func unmarkedIds(_ entityType: EntityType, after id: String?, limit: Int) throws -> [String]

    /// Forgets all marks.
    func clearMarks() throws

    // MARK: Outbox

    /// The mutations of records that are queued, sending or parked, in the order of the queue.
    func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation]

    /// The idempotency keys of those mutations by the ids of their records, without reading the mutations. By default
    /// they are read.
    func openKeys(_ entityType: EntityType, ids: [String]) throws -> [String: [String]]

    /// Replaces mutations with the same ids.
    func updateMutations(_ mutations: [PendingMutation]) throws

    /// Settles mutations as accepted. Their payloads and last errors are not kept, nor must more than
    /// ``MutationQuery/keptAccepted`` of them be.
    func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws
}

extension VersionStore {
    /// Reads the mutations for their keys.
    public func openKeys(_ entityType: EntityType, ids: [String]) throws -> [String: [String]] {
        Dictionary(grouping: try openMutations(entityType, ids: ids), by: \.entityId)
            .mapValues { $0.map(\.clientRequestId) }
    }
}
