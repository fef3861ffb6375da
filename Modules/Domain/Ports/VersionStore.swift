/// The part of a device's store that an exchange works with: the server's versions, and sets of records at once.
///
/// What is visible of a record stands in the tables that readers use. Where that is not what the server has, the
/// server's version stands beside it as the record's base (``RecordBase``). So a record without a base whose status is
/// ``SyncStatus/synced`` is its own base, and the server has nothing of any other record without one.
///
/// Lists of ids are in the order of ``IdOrder``. All of it is within the unit of work, and every method throws ``StoreError``. Ids that are not there are passed over.
public protocol VersionStore: AnyObject {
    // MARK: Records

    /// The records with these ids, by id.
    func fetch<Entity: SyncEntity>(_ type: Entity.Type, ids: [String]) throws -> [String: LocalRecord<Entity>]

    /// What is to be said of the records with these ids without reading them, by id.
    func standings(_ entityType: EntityType, ids: [String]) throws -> [String: RecordStanding]

    /// The ids of records whose field has a value, in the order of the ids; at most `limit`. A condition on a field that
    /// the kind does not have is an error.
    func ids(_ entityType: EntityType, where condition: FieldCondition, limit: Int) throws -> [String]

    /// Puts records in, in place of those with the same ids.
    func upsert<Entity: SyncEntity>(contentsOf records: [LocalRecord<Entity>]) throws

    /// Takes records out.
    func delete(_ entityType: EntityType, ids: [String]) throws

    /// Notes that the server has records as they are here, and what it says of them: they are synced.
    func confirm(_ entityType: EntityType, _ confirmations: [RecordConfirmation]) throws

    // MARK: Bases

    /// The bases of the records with these ids, by id.
    func bases(_ entityType: EntityType, ids: [String]) throws -> [String: RecordBase]

    /// The ids of records whose base is not deleted and has a value in a field, in the order of the ids.
    func baseIds(_ entityType: EntityType, where condition: FieldCondition) throws -> [String]

    /// Puts bases in, in place of those of the same records.
    func putBases(_ bases: [RecordBase]) throws

    /// Takes the bases of records out.
    func deleteBases(_ entityType: EntityType, ids: [String]) throws

    /// Sets all revisions to 0, of records and of bases: another epoch counts anew.
    func voidRevisions() throws

    // MARK: Marks

    /// Marks records of a kind as shown by a resync, whether they are here or not.
    func mark(_ entityType: EntityType, ids: [String]) throws

    /// The ids of records and bases of a kind that are not marked, in the order of the ids; those that come after one,
    /// and at most `limit`.
    func unmarkedIds(_ entityType: EntityType, after id: String?, limit: Int) throws -> [String]

    /// Forgets all marks.
    func clearMarks() throws

    // MARK: Outbox

    /// The mutations of records that are queued, sending or parked, in the order of the queue.
    func openMutations(_ entityType: EntityType, ids: [String]) throws -> [PendingMutation]

    /// Replaces mutations with the same ids.
    func updateMutations(_ mutations: [PendingMutation]) throws

    /// Settles mutations: they are accepted, and neither what they carried nor what the last attempt failed with is kept.
    func acceptMutations(_ ids: [Int64], at moment: Timestamp) throws
}
