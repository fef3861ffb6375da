import TrendyDomain

/// What one request carries of the open operations.
struct Shipment {
    /// An operation on its way.
    struct Item {
        var mutation: PendingMutation
        /// What is sent of it.
        var sent: SyncMutation
        /// Whether an earlier request with it has not been answered.
        var wasUnanswered: Bool { mutation.isUnanswered }
    }

    /// The place from which the request asks for changes.
    var place: ExchangePlace
    /// How many changes the request asks for.
    var limit: Int
    var items: [Item] = []
    /// The open operations that it leaves out, and that may have reached the server.
    var doubtful: [Item] = []
    /// About how many bytes the mutations have.
    var bytes = 0
    /// Whether more could have been sent.
    var isCutOff = false
    /// Whether more would have been too many bytes.
    var isFull = false
    /// The records of which it leaves out an operation.
    var leftOut: Set<RecordKey> = []
    /// Whether something that it leaves out can go when it was accepted.
    var isAwaited = false

    /// Whether no request can carry less.
    var isSmallest: Bool { items.isEmpty && limit <= 1 }

    /// Whether it carries operations, and so few bytes that nothing on the way lets less through.
    var isNegligible: Bool { !items.isEmpty && bytes <= 4 << 10 }

    var mutations: [SyncMutation] { items.map(\.sent) }

    var unanswered: [SyncMutation] { (items.filter(\.wasUnanswered) + doubtful).map(\.sent) }

    var keys: Set<String> { Set(items.map(\.mutation.clientRequestId)) }

    /// The kinds of records of which an answer tells that something has changed on the server.
    func kinds(touchedBy response: SyncResponse) -> Set<EntityType> {
        let accepted = Set(response.results.filter { $0.outcome == .accepted }.map(\.key))
        let own = items.filter { accepted.contains($0.mutation.clientRequestId) }.map(\.mutation.entityType)
        return Set(response.changes.map(\.entityType)).union(own)
    }

    /// The ids of the mutations that no request has carried before.
    var fresh: [Int64] { items.filter { !$0.wasUnanswered }.map(\.mutation.id) }
}

/// Chooses what a request carries: the open operations in the order in which they were made.
///
/// A request has at most one operation of each record, because the base of the second is the result of the first.
/// Operations behind a parked one of their record wait. A create waits until its time has come by the server's clock, and
/// what depends on it waits with it.
struct Outbox {
    let replica: Replica
    let clock: ServerClock
    /// The present moment, by this device's clock.
    let now: Timestamp

    /// The most bytes of mutations that a request carries. The rest of the limit is for what was reckoned too low.
    static let byteLimit = SyncRequest.byteLimit / 2
    private static let page = 1_000

    private var store: any DataStoreProtocol { replica.store }

    /// Adds the next operations to a shipment.
    ///
    /// - Parameters:
    ///   - count: How many at most.
    ///   - bytes: How many bytes they have at most; a single one may have more.
    ///   - passed: Mutations that are left out for the rest of the cycle, some because they were sent often enough. Others
    ///     of their records wait, and so do the children of records whose creation waits.
    ///   - earlier: A shipment whose answer is not there yet, behind which the operations come.
    func fill(
        _ shipment: inout Shipment, count: Int, bytes: Int, passing passed: Set<Int64> = [],
        behind earlier: Shipment? = nil
    ) throws {
        var taken = earlier?.leftOut ?? []
        // The records of which this request, or the one before it, has an operation.
        var shipped = Set((earlier?.items ?? []).map { $0.mutation.recordKey })
        // Only a deletion passes a parked operation of its record, because it ends that.
        let parked = try waiting()
        // The records whose create is left out, or waits behind their deletion.
        var unmade = try madeAnew().union(taken)
        let creates = try parentCreates()
        let lastCreate = creates.values.max() ?? 0
        var awaitedCreates: Set<RecordKey> = []
        var departing = DepartingChildren(replica: replica)
        var last = earlier?.items.last?.mutation.id ?? 0
        while true {
            let open = try store.fetchMutations(
                MutationQuery(states: [.queued, .sending], afterId: last, limit: Self.page))
            var chosen: [PendingMutation] = []
            for mutation in open {
                last = mutation.id
                let key = mutation.recordKey
                if shipped.contains(key) {
                    // Later operations may depend on this one, whose base is the result of another that is sent now.
                    shipment.isCutOff = true
                    break
                }
                let isBehindParked = parked[key].map { $0 < last } ?? false
                let isPastParked = isBehindParked && mutation.operation == .delete
                guard let type = replica.schema.type(for: key.entityType) else { continue }
                let awaited = try mutation.operation == .delete ? departing.edits(before: mutation).map(\.id) : []
                if !awaited.isEmpty, !sent(chosen, shipment, earlier).isDisjoint(with: awaited) {
                    shipment.isCutOff = true
                    break
                }
                let mayWait = !unmade.isEmpty || last < lastCreate
                let parents = mayWait ? try type.parents(of: mutation) : []
                let later = parents.filter { creates[$0].map { $0 > last } ?? false }
                awaitedCreates.formUnion(later)
                let isLeftOut =
                    isBehindParked && !isPastParked || !taken.insert(key).inserted && !isPastParked
                    || passed.contains(last) || clock.waitEnd(of: mutation, at: now) != nil
                    || parents.contains(where: unmade.contains) || !later.isEmpty || !awaited.isEmpty
                if isLeftOut {
                    if mutation.operation == .create { unmade.insert(key) }
                    shipment.leftOut.insert(key)
                    continue
                }
                let size = SyncMutation.envelope + (mutation.payload?.count ?? 0)
                shipment.isFull = shipment.bytes + size > bytes && !shipment.isEmpty(chosen)
                if shipment.items.count + chosen.count >= count || shipment.isFull {
                    shipment.isCutOff = true
                    break
                }
                shipment.bytes += size
                shipped.insert(key)
                chosen.append(mutation)
                // What has waited for this comes next.
                if awaitedCreates.contains(key) { shipment.isAwaited = true }
            }
            shipment.items += try items(chosen)
            if shipment.isCutOff || open.count < Self.page { break }
        }
    }

    /// The places of the open creates of records that others can belong to.
    ///
    /// A create can come behind what names its record: it got another id, or an edit has kept the place of a refused one.
    private func parentCreates() throws -> [RecordKey: Int64] {
        var (places, deleted): ([RecordKey: Int64], Set<RecordKey>) = ([:], [])
        for type in replica.schema.types where !replica.schema.children(of: type.entityType).isEmpty {
            let query = MutationQuery(
                states: [.queued, .sending], entityType: type.entityType, operations: [.create, .delete])
            for mutation in try store.fetchMutations(query) {
                if mutation.operation == .create {
                    places[mutation.recordKey] = mutation.id
                } else {
                    deleted.insert(mutation.recordKey)
                }
            }
        }
        // What names a record that is deleted and made anew means the former one.
        return places.filter { !deleted.contains($0.key) }
    }

    private func sent(_ chosen: [PendingMutation], _ shipment: Shipment, _ earlier: Shipment?) -> Set<Int64> {
        let carried = shipment.items + (earlier?.items ?? [])
        return Set(chosen.map(\.id)).union(carried.map(\.mutation.id))
    }

    /// Adds the operations that may have reached the server and that a shipment leaves out: they are parked, or go later.
    ///
    /// What waits for a decision about a record that was deleted is settled with the record, if that comes back.
    func addDoubtful(to shipment: inout Shipment) throws {
        let carried = shipment.keys
        shipment.doubtful = try items(
            store.fetchMutations(MutationQuery(states: [.sending, .parked]))
                .filter { mutation in
                    mutation.isUnanswered && !carried.contains(mutation.clientRequestId)
                        && mutation.parkReason?.code.isOfFormerRecord != true
                })
    }

    /// Queues operations of a shipment again that had certainly no effect, unless an earlier request has carried them.
    ///
    /// A person may have parked one meanwhile. Then it stays parked, and nothing of it has arrived.
    ///
    /// - Parameter untouched: The keys of operations that had no effect.
    func takeBack(_ shipment: Shipment, _ untouched: Set<String>) throws {
        let ids = Set(
            shipment.items.filter { !$0.wasUnanswered && untouched.contains($0.mutation.clientRequestId) }
                .map(\.mutation.id))
        if ids.isEmpty { return }
        let marked = try store.fetchMutations(MutationQuery(states: [.sending, .parked]))
            .filter { ids.contains($0.id) && $0.isUnanswered }
        try store.updateMutations(
            marked.map { mutation in
                var mutation = mutation
                if case .parked(var reason) = mutation.state {
                    reason.isUnanswered = false
                    mutation.state = .parked(reason)
                } else {
                    mutation.state = .queued
                }
                return mutation
            })
    }

    /// The first parked operation of each record that has one.
    private func waiting() throws -> [RecordKey: Int64] {
        let parked = try store.fetchMutations(MutationQuery(states: [.parked]))
        return Dictionary(parked.map { ($0.recordKey, $0.id) }, uniquingKeysWith: { first, _ in first })
    }

    /// The records whose parked create waits behind an open deletion. What belongs to the new record must not go before the
    /// deletion of the former one, which would take it along.
    private func madeAnew() throws -> Set<RecordKey> {
        let parked = try store.fetchMutations(MutationQuery(states: [.parked], operations: [.create]))
        if parked.isEmpty { return [] }
        let deletions = try store.fetchMutations(
            MutationQuery(states: [.queued, .sending, .parked], operations: [.delete]))
        return Set(parked.map(\.recordKey)).intersection(deletions.map(\.recordKey))
    }

    private func items(_ chosen: [PendingMutation]) throws -> [Shipment.Item] {
        var bases: [EntityType: [String: RecordBase]] = [:]
        for (kind, mutations) in Dictionary(grouping: chosen, by: \.entityType) {
            bases[kind] = try store.bases(kind, ids: mutations.map(\.entityId))
        }
        return try chosen.map { mutation in
            let base = bases[mutation.entityType]?[mutation.entityId]
            return Shipment.Item(
                mutation: mutation,
                sent: SyncMutation(
                    key: mutation.clientRequestId, entityType: mutation.entityType, operation: mutation.operation,
                    entityId: mutation.entityId, base: max(base?.revision ?? 0, 0),
                    kept: try mutation.payload.map { try KeptJSON($0) }))
        }
    }
}

extension SyncMutation {
    /// About how many bytes of JSON are around the data.
    static let envelope = 200
}

extension Shipment {
    fileprivate func isEmpty(_ chosen: [PendingMutation]) -> Bool { items.isEmpty && chosen.isEmpty }
}

extension SyncEntity {
    /// The records to which a mutation says that its record belongs.
    fileprivate static func parents(of mutation: PendingMutation) throws -> [RecordKey] {
        guard let payload = mutation.payload else { return [] }
        let fields = try WireCoding.decode(RecordDocument.self, from: payload)
        return parents.compactMap { reference in
            fields[reference.field]?.stringValue.map { RecordKey(reference.entityType, $0) }
        }
    }
}
