import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendySync

/// Gives imported events the same ids each time, so that two imports of one row make one record, also where
/// they happen at once or on two devices.
///
/// Servers keep all people's ids in one space. The ids therefore depend on whose records they are: on the
/// account, and before the first sign-in on a number that the store alone has.
struct ImportIds {
    static let saltKey = "app.import_salt"

    private let salt: String
    private let now: Timestamp

    init(salt: String, now: Timestamp) {
        self.salt = salt
        self.now = now
    }

    /// The ids for a store.
    ///
    /// - Parameter storing: Whether the store's number may be made; without that, and without one, ids are those of
    ///   a rehearsal.
    @MainActor
    init(context: CommandContext, storing: Bool) throws {
        let account = try context.ownership.owner()?.userId
        let salt = try account ?? context.reader.metadata(Self.saltKey)
        let fresh = context.makeId()
        self.init(
            salt: try salt ?? (storing ? Self.storeSalt(context.root.stores, fresh: fresh) : fresh), now: context.now)
    }

    /// The id of the event that an import knows by this name.
    func id(_ externalId: String, at moment: Timestamp) -> String {
        var hash = Hash128()
        hash.add(salt.utf8)
        hash.add(externalId.utf8)
        // Servers refuse ids from the future. What lies there gets the same id today and tomorrow.
        let isPossible = moment.milliseconds >= 0 && moment <= now
        let id = UUIDv7(
            milliseconds: isPossible ? UInt64(moment.milliseconds) : 0, randomHigh: hash.high, randomLow: hash.low)
        return id.description
    }

    /// The id of an event that goes by a name, at whatever moment a format has it.
    ///
    /// An id of Trendy's own has its moment with it, the same in every format and every zone.
    func id(_ name: String, of draft: EventDraft) -> String {
        id(name, at: UUIDv7(name)?.timestamp ?? draft.momentOfId ?? draft.timestamp)
    }

    /// The other ids under which an event of one of Trendy's own exports may be here: those that earlier versions gave
    /// it by its time, and that of a copy made of JSON.
    func otherIds(_ name: String, of draft: EventDraft) -> [String] {
        guard let own = UUIDv7(name) else { return [] }
        var ids: Set<String> = [id("json:\(name)", at: own.timestamp), id(name, at: draft.timestamp)]
        if let moment = draft.momentOfId { ids.insert(id(name, at: moment)) }
        return ids.sorted()
    }

    private static func storeSalt(_ stores: LocalStoreFactory, fresh: String) throws -> String {
        let store = try stores.makeDataStore()
        try store.begin()
        if let salt = try store.metadata(saltKey) { return salt }
        try store.setMetadata(saltKey, fresh)
        try store.save()
        return fresh
    }
}
