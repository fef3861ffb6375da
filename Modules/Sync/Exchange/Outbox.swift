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
/// what depends on it waits with it. A deletion waits for edits that move children of its record away.
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
        var taken: Set<RecordKey> = []
        // The records of which this request, or the one before it, has an operation.
        var shipped = Set((earlier?.items ?? []).map { $0.mutation.recordKey })
        // Only a deletion passes a parked operation of its record, because it ends that.
        let parked = try waiting()
        // The records whose create is left out, or waits behind their deletion.
        var unmade = try madeAnew()
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
                let awaited = try mutation.operation == .delete ? departing.edits(before: mutation) : []
                if try carries(awaited, chosen, shipment, earlier) && !isCreateLater(awaited, than: last) {
                    shipment.isCutOff = true
                    break
                }
                let isLeftOut =
                    try isBehindParked && !isPastParked || !taken.insert(key).inserted && !isPastParked
                    || passed.contains(last) || clock.waitEnd(of: mutation, at: now) != nil
                    || !unmade.isEmpty && type.parents(of: mutation).contains(where: unmade.contains)
                    || !awaited.isEmpty
                if isLeftOut {
                    if mutation.operation == .create { unmade.insert(key) }
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
            }
            shipment.items += try items(chosen)
            if shipment.isCutOff || open.count < Self.page { break }
        }
    }

    /// Whether one of these edits names a record whose create comes later in the outbox. The create got another id, or the edit
    /// has kept the place of a refused one.
    private func isCreateLater(_ edits: [DepartingChildren.Edit], than place: Int64) throws -> Bool {
        try edits.contains { edit in
            try store.openMutations(edit.target.entityType, ids: [edit.target.id]).contains {
                $0.operation == .create && $0.state.isUnsent && $0.id > place
            }
        }
    }

    /// Whether a request, or the one before it, carries one of these edits.
    private func carries(
        _ edits: [DepartingChildren.Edit], _ chosen: [PendingMutation], _ shipment: Shipment, _ earlier: Shipment?
    ) -> Bool {
        if edits.isEmpty { return false }
        let carried = chosen + (shipment.items + (earlier?.items ?? [])).map(\.mutation)
        return !Set(carried.map(\.id)).isDisjoint(with: edits.map(\.id))
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
