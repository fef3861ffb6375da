import Foundation
import TrendyDomain

/// Changes the records of one user within one transaction.
///
/// What it changes it keeps in mind, so that a second change finds the first, and gives it to the store at the end, as
/// sets. A change that throws has changed nothing.
final class AccountWriter {
    let transaction: any RecordTransaction
    let catalog: RecordCatalog
    let now: Timestamp
    /// The history as it is after the changes so far.
    private(set) var history: AccountHistory
    /// The head before the first change.
    let start: Int64
    private let random: any RandomSource
    private let userId: String
    /// The start of the server that makes the changes, and its name.
    private let server: ServerRun
    private var serverName: String
    /// How far the server has come in the account; nil where it does not remember that.
    private var reached: EndedRun?
    private var isHistoryNew = false
    /// Whether nothing has happened in the account before.
    private var isFirst = false
    /// Whether only a user who has an account may begin a history.
    private let demandsAccount: Bool
    /// What stands in the store under the names that were asked for; nil where nothing does.
    private var found: [RecordKey: Standing?] = [:]
    /// The ids of the stored records that have a key, the oldest first.
    private var holders: [UniqueKey: [String]] = [:]
    private var storedChildren: [RecordKey: [ChildRecord]] = [:]
    /// What was changed, in the order of revisions, and the place of the latest change of each record.
    private var log: [RecordWrite] = []
    private var places: [RecordKey: Int] = [:]
    /// Changed records by the unique keys and the parents that they have, or had a while.
    private var claims: [UniqueKey: Set<String>] = [:]
    private var adopted: [RecordKey: Set<RecordKey>] = [:]
    private var outcomes: [KeptOutcome] = []
    private var growth: AccountGrowth

    init(
        _ transaction: any RecordTransaction, of userId: String, catalog: RecordCatalog, now: Timestamp,
        random: any RandomSource, run: ServerRun, quota: AccountQuota, demandsAccount: Bool = false
    ) throws {
        self.demandsAccount = demandsAccount
        self.transaction = transaction
        self.userId = userId
        self.catalog = catalog
        self.now = now
        self.random = random
        server = run
        (serverName, reached) = run.standing(of: userId)
        growth = AccountGrowth(within: quota)
        let stored = try transaction.history()
        history = stored ?? AccountHistory(epoch: Self.epoch(random))
        (isHistoryNew, isFirst) = (stored == nil, stored == nil)
        start = history.head
        if isFirst { history.run = self.run }
    }

    private static func epoch(_ random: any RandomSource) -> String {
        String(random.next(), radix: 36) + String(random.next(), radix: 36)
    }

    /// The run that makes the changes. Another epoch begins another one, so that nothing proves a history that was erased.
    private var run: String {
        let starts = [serverName, transaction.databaseStart].filter { !$0.isEmpty }
        return (starts + [String(history.epoch.prefix(6))]).joined(separator: ".")
    }

    /// Begins another history that goes on from the present head: revisions that devices have of the one before mean
    /// nothing any more.
    func renewHistory() {
        history.epoch = Self.epoch(random)
        isHistoryNew = true
    }

    /// Makes the present history the only one that counts: no cursor of before proves anything any more.
    func forgetRuns() throws {
        try transaction.deleteRuns()
        (history.run, isHistoryNew, reached) = (run, true, nil)
    }

    /// Has the server go on under another name where the history is not the one that it has written: the data was put
    /// back beneath it, and cursors that name its former run may tell of what is lost.
    ///
    /// It is asked of the history as a cursor would be, because other servers may have written since.
    private func leaveLostRun() throws {
        guard !isFirst, let reached else { return }
        let end = try reached.name == history.run ? start : transaction.lastRevision(of: reached.name)
        if end.map({ $0 < reached.last }) ?? true { serverName = server.renew(after: serverName) }
    }

    /// Has the server remember how far it has come with all changes that were saved.
    func noteHistory() { server.note(history, of: userId) }

    /// Notes how far the run went that has written before, and goes on in its place.
    private func takeOver() throws {
        if history.run == run { return }
        try transaction.save(EndedRun(name: history.run, last: start))
        history.run = run
    }

    /// Remembers what became of a request under its key.
    func keep(_ outcome: KeptOutcome) { outcomes.append(outcome) }

    /// What was changed, as it is now, in the order of revisions.
    var changes: [RecordWrite] {
        log.count == places.count ? log : log.enumerated().filter { places[$1.record.key] == $0 }.map(\.element)
    }

    private func change(of key: RecordKey) -> RecordWrite? { places[key].map { log[$0] } }

    /// Whether the history is another than it was before, or has changes that it had not.
    var hasChangedHistory: Bool { isHistoryNew || history.head != start }

    /// Gives all changes to the store.
    ///
    /// - Throws: ``ServerProblem`` of kind `unauthorized` where the account was deleted while the request was on its way.
    func save() throws {
        if isFirst, demandsAccount, try !transaction.hasAccount() { throw AccountService.noAccount }
        if hasChangedHistory { try leaveLostRun() }
        if history.head != start { try takeOver() }
        if hasChangedHistory { try transaction.save(history) }
        if !log.isEmpty { try transaction.save(changes) }
        let growth = growth.byKind.filter { $0.value != RecordUsage() }
        if !growth.isEmpty { try transaction.add(growth) }
        if !outcomes.isEmpty { try transaction.save(outcomes) }
    }
}

// MARK: Finding

extension AccountWriter {
    /// Asks the store at once what stands under those names.
    func load(_ keys: some Sequence<RecordKey>) throws {
        let unknown = Set(keys.filter { found[$0] == nil })
        if unknown.isEmpty { return }
        let standings = try transaction.records(unknown)
        for key in unknown { found[key] = .some(standings[key]) }
    }

    /// Takes what was read of the store as what stands there.
    func know(_ records: [StoredRecord]) {
        for record in records where found[record.key] == nil { found[record.key] = .some(.own(record)) }
    }

    private func load(_ keys: [UniqueKey]) throws {
        let unknown = Set(keys.filter { holders[$0] == nil })
        if unknown.isEmpty { return }
        let ids = try transaction.holders(of: unknown)
        for key in unknown { holders[key] = ids[key] ?? [] }
    }

    /// Asks the store at once for what new versions of records are compared with.
    func load(_ prepared: [PreparedRecord], _ type: EntityType) throws {
        var (names, keys): (Set<RecordKey>, [UniqueKey]) = ([], [])
        for record in prepared {
            names.insert(RecordKey(type, record.id))
            for reference in record.index.references { names.insert(reference.parent) }
            keys += record.index.uniqueKeys(of: type)
        }
        try load(names)
        try load(keys)
    }

    /// Asks the store at once for the children of records.
    func loadChildren(of parents: some Sequence<RecordKey>) throws {
        let unknown = Set(parents.filter { storedChildren[$0] == nil && catalog.hasChildren($0.entityType) })
        if unknown.isEmpty { return }
        let children = try transaction.children(of: unknown)
        for parent in unknown { storedChildren[parent] = children[parent] ?? [] }
    }

    /// What stands under a name now; nil where nothing ever did.
    func standing(of key: RecordKey) throws -> Standing? {
        if let place = places[key] { return .own(log[place].record) }
        try load([key])
        return found[key] ?? nil
    }

    /// The user's record of that name; nil where there is none, or it is another user's.
    func record(_ key: RecordKey) throws -> StoredRecord? { try standing(of: key)?.live }

    /// The user's record of that name.
    ///
    /// - Throws: ``ServerProblem`` where there is none.
    func existing(_ key: RecordKey) throws -> StoredRecord {
        guard let record = try record(key) else { throw ServerProblem.missing(key.entityType, key.id) }
        return record
    }

    /// The id of the record that has a key which no other may have. Where there are several all the same, it is the
    /// oldest one.
    func holder(of key: UniqueKey) throws -> String? {
        try load([key])
        let stored = holders[key]?.first { change(of: RecordKey(key.entityType, $0))?.has(key) ?? true }
        let changed = (claims[key] ?? []).compactMap { change(of: RecordKey(key.entityType, $0)) }
            .filter { $0.has(key) }.map(\.record)
        guard let first = changed.min(by: { $0.createdRevision < $1.createdRevision }) else { return stored }
        guard let stored, let record = try record(RecordKey(key.entityType, stored)) else { return first.key.id }
        return record.createdRevision < first.createdRevision ? stored : first.key.id
    }

    /// A complaint for each field that names a record which is not there.
    func missingParents(of prepared: PreparedRecord, _ kind: RecordKind) throws -> [FieldError] {
        try prepared.index.references.compactMap { reference in
            if reference.parent == RecordKey(kind.entityType, prepared.id) { return nil }
            if try record(reference.parent) != nil { return nil }
            let message =
                "names the \(reference.parent.entityType.displayName) \(reference.parent.id), which does not exist"
            return FieldError(field: reference.field, message: message, code: "unknown_reference")
        }
    }

    private func children(of key: RecordKey) -> [ChildRecord] {
        let stored = (storedChildren[key] ?? []).filter { places[$0.key] == nil }
        let changed = (adopted[key] ?? []).compactMap { change(of: $0) }.flatMap { write in
            write.index.references.filter { $0.parent == key }
                .map { ChildRecord(key: write.record.key, revision: write.record.revision, field: $0.field) }
        }
        return stored + changed.sorted { ($0.revision, $0.field) < ($1.revision, $1.field) }
    }

    /// The children of a record to which the same happens when it is deleted.
    private func children(of key: RecordKey, that deletion: ParentReference.Deletion) -> [ChildRecord] {
        guard catalog.hasChildren(key.entityType) else { return [] }
        return children(of: key).filter { catalog.deletion(of: $0, with: key.entityType) == deletion }
    }

    /// The records that cannot be without that one, children before their parents; that one itself is left out.
    func dependents(of key: RecordKey) throws -> [ChildRecord] {
        var (level, met) = ([key], Set([key]))
        while !level.isEmpty {
            try loadChildren(of: level)
            level = level.flatMap { children(of: $0, that: .cascade) }.map(\.key).filter { met.insert($0).inserted }
        }
        var (result, visited) = ([ChildRecord](), Set([key]))
        func visit(_ key: RecordKey) {
            for child in children(of: key, that: .cascade) where visited.insert(child.key).inserted {
                visit(child.key)
                result.append(child)
            }
        }
        visit(key)
        return result
    }
}

// MARK: Changing

extension AccountWriter {
    /// Makes a record, or puts it in the place of the one that has its id or its upsert key. Answers whether it is new.
    func create(_ prepared: PreparedRecord, _ kind: RecordKind) throws -> (record: StoredRecord, isNew: Bool) {
        try checkClock(of: prepared.id)
        var prepared = prepared
        let given = RecordKey(kind.entityType, prepared.id)
        if let upsertKey = prepared.index.upsertKey,
            let id = try holder(of: UniqueKey(kind.entityType, .upsert, upsertKey)),
            id != prepared.id
        {
            if try standing(of: given) == .foreign { throw ServerProblem.missing(given.entityType, given.id) }
            prepared = try kind.codec.changed(prepared.json, to: ["id": .string(id)])
        }
        let key = RecordKey(kind.entityType, prepared.id)
        if try standing(of: key) == .foreign { throw ServerProblem.missing(key.entityType, key.id) }
        let present = try record(key)
        try check(prepared, kind, over: present)
        guard let old = present else { return (try insert(prepared, key), true) }
        return (try replace(old, by: prepared, kind), false)
    }

    /// Adds a record where there is none.
    func insert(_ prepared: PreparedRecord, _ key: RecordKey) throws -> StoredRecord {
        try growth.admit(prepared.json, over: nil, usage: transaction.usage)
        history.head += 1
        let record = StoredRecord(
            key: key, document: prepared.json, createdAt: now, updatedAt: now, revision: history.head,
            createdRevision: history.head)
        note(RecordWrite(record: record, index: prepared.index), over: nil)
        return record
    }

    /// Puts a record in the place of an older version of it; does nothing where they are equal.
    func replace(_ old: StoredRecord, by prepared: PreparedRecord, _ kind: RecordKind) throws -> StoredRecord {
        guard let document = old.document, document != prepared.json else { return old }
        try growth.admit(prepared.json, over: document, usage: transaction.usage)
        return put(prepared, over: old, try kind.codec.references(in: document))
    }

    private func put(
        _ prepared: PreparedRecord, over old: StoredRecord, _ former: [RecordIndex.Reference]
    ) -> StoredRecord {
        history.head += 1
        var record = old
        record.document = prepared.json
        record.revision = history.head
        // A clock that was set back must not make a record older: clients take the later version for the newer one.
        record.updatedAt = max(now, old.updatedAt)
        note(RecordWrite(record: record, index: prepared.index, former: former), over: old.document)
        return record
    }

    /// Deletes a record, and before it what cannot be without it. Records that only refer to one of these stay, with
    /// that field emptied. Children go before their parents.
    func delete(_ key: RecordKey) throws {
        let doomed = try dependents(of: key).map(\.key) + [key]
        try loadChildren(of: doomed)
        let gone = Set(doomed)
        var emptied: [RecordKey: [String: JSONValue]] = [:]
        for child in doomed.flatMap({ children(of: $0, that: .clear) }) where !gone.contains(child.key) {
            emptied[child.key, default: [:]][child.field] = .null
        }
        try load(doomed + emptied.keys)
        // Nothing is changed before everything was found to be possible.
        let cleared = try self.emptied(emptied)
        let tombstones = try doomed.map { key in
            var record = try existing(key)
            let document = record.document ?? Data()
            let former = try catalog.kind(key.entityType).codec.references(in: document)
            record.document = nil
            (record.createdAt, record.updatedAt) = (now, now)
            return (write: RecordWrite(record: record, former: former), document: document)
        }
        put(cleared)
        for (tombstone, document) in tombstones {
            var tombstone = tombstone
            history.head += 1
            (tombstone.record.revision, tombstone.record.createdRevision) = (history.head, history.head)
            note(tombstone, over: document)
        }
    }

    /// Empties fields that refer to a record which is about to be deleted.
    func empty(_ fields: [RecordKey: [String: JSONValue]]) throws { put(try emptied(fields)) }

    private typealias NewVersion = (old: StoredRecord, new: PreparedRecord, former: [RecordIndex.Reference])

    private func emptied(_ fields: [RecordKey: [String: JSONValue]]) throws -> [NewVersion] {
        try fields.sorted { $0.key.id < $1.key.id }.map { key, fields in
            let (record, codec) = (try existing(key), try catalog.kind(key.entityType).codec)
            let document = record.document ?? Data()
            return (record, try codec.changed(document, to: fields), try codec.references(in: document))
        }
    }

    private func put(_ versions: [NewVersion]) {
        for (old, new, former) in versions { _ = put(new, over: old, former) }
    }

    /// - Parameter document: That of the version before; nil where there was no record.
    private func note(_ write: RecordWrite, over document: Data?) {
        var write = write
        growth.note(write.record.key.entityType, write.record.document, over: document)
        // The store knows the record as it was before all changes.
        if let earlier = places.updateValue(log.count, forKey: write.record.key) { write.former = log[earlier].former }
        log.append(write)
        for key in write.index.uniqueKeys(of: write.record.key.entityType) {
            claims[key, default: []].insert(write.record.key.id)
        }
        for reference in write.index.references { adopted[reference.parent, default: []].insert(write.record.key) }
    }
}

extension RecordWrite {
    fileprivate func has(_ key: UniqueKey) -> Bool {
        index.uniqueKeys(of: record.key.entityType).contains(key)
    }
}
