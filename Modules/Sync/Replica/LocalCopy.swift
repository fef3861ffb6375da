import TrendyDomain

/// What a device has of one record: the server's version, the open operations, and whether readers see it.
struct LocalCopy {
    let key: RecordKey
    let type: any SyncEntity.Type
    var record: OpenRecord
    /// The revision with which the server's record was made; 0 where that is not known.
    var created: Int64
    /// The open mutations by their idempotency keys, as the store has them.
    var mutations: [String: PendingMutation]
    /// The status that readers see; nil if they do not see the record.
    let status: SyncStatus?

    /// The keys of operations that wait for an earlier one of the record.
    var waiting: Set<String> { Set(mutations.filter { $0.value.parkReason?.code == .waiting }.keys) }

    /// The keys of operations that are parked because the server refused them. An edit takes their place.
    var refused: Set<String> { Set(mutations.filter { $0.value.parkReason?.code.isRefusal == true }.keys) }

    /// The copy without the reasons for which operations are parked, because they get another reason.
    var unparked: LocalCopy { unparked(Set(mutations.keys)) }

    /// As ``unparked``, for the operations with these keys.
    func unparked(_ keys: Set<String>) -> LocalCopy {
        var copy = self
        for index in record.operations.indices where keys.contains(record.operations[index].key) {
            copy.record.operations[index].isParked = false
        }
        for (key, mutation) in mutations where mutation.parkReason != nil && keys.contains(key) {
            copy.mutations[key]?.state = mutation.isUnanswered ? .sending : .queued
        }
        return copy
    }

    /// Whether an open operation deletes it here.
    var isDeletedHere: Bool {
        record.operations.contains { $0.change == .delete } && record.alone == .deleted
    }
}

extension OpenOperation {
    /// Reads an operation from the outbox.
    ///
    /// - Throws: `DecodingError` where what it carries cannot be read.
    init(_ mutation: PendingMutation, shape: RecordShape) throws {
        let document = try mutation.payload.map { try WireCoding.decode(RecordDocument.self, from: $0) } ?? [:]
        let change: Change =
            switch mutation.operation {
            case .create: .create(document)
            case .update: .update(FieldPatch(json: document, shape: shape))
            case .delete: .delete
            }
        self.init(change, key: mutation.clientRequestId, position: mutation.id)
        switch mutation.state {
        case .sending: isInFlight = true
        case .parked(let reason): (isParked, isInFlight) = (true, reason.isUnanswered)
        case .queued, .accepted, .merged, .dropped: break
        }
    }
}

extension PendingMutation {
    /// The mutation as it is stored for an operation.
    ///
    /// A key belongs to one payload for ever: a store may have been copied or restored from a snapshot, and then another
    /// copy may have sent what the mutation carried before. So the two change together, here alone.
    ///
    /// - Parameters:
    ///   - former: The change that it carries; nil if it carries none of this record yet.
    ///   - key: A key that was never used.
    ///   - reason: Why it is parked, if it was not parked before.
    func carrying(
        _ operation: OpenOperation, insteadOf former: OpenOperation.Change?, under key: @autoclosure () -> String,
        parkedBecause reason: ParkReason?
    ) throws -> PendingMutation {
        var mutation = self
        if operation.change != former {
            // Another payload was never tried.
            (mutation.attempts, mutation.lastError) = (0, nil)
            mutation.clientRequestId = key()
            mutation.operation = operation.change.operation
            mutation.payload = try operation.change.payload.map { try encoded($0) }
        }
        guard operation.isParked else {
            mutation.state = operation.isInFlight ? .sending : .queued
            mutation.settledAt = nil
            return mutation
        }
        var why = reason ?? ParkReason(code: .cleared, message: "it waits")
        if case .parked(let known) = state { why = known }
        why.isUnanswered = operation.isInFlight
        mutation.state = .parked(why)
        return mutation
    }
}

extension ParkReason.Code {
    /// Whether the server has refused what the mutation says, so that another value may be taken.
    ///
    /// The others are about whether the record is to be there at all, wait for something else, or are a person's wish.
    var isRefusal: Bool {
        switch self {
        case .rejected, .duplicate, .blocked, .blamed: true
        case .deletedElsewhere, .waiting, .lostByServer, .madeElsewhere, .cleared, .unreadable: false
        }
    }

    /// Whether the server had the record, and has it no more.
    var isOfFormerRecord: Bool { self == .deletedElsewhere || self == .lostByServer }
}

extension ParkReason {
    /// The reason of an operation that the server had carried out, and does not know of any more.
    static let lostByServer = ParkReason(
        code: .lostByServer, message: "the server lost it: its data was restored or reset")

    /// The reason of a deletion that concerned a record of this device, where the server has one of others.
    static let madeElsewhere = ParkReason(
        code: .madeElsewhere,
        message: "it was deleted here before it was sent, and another device has made or imported it too")

    /// The reason of an operation that follows a parked one of the same record.
    static let waiting = ParkReason(code: .waiting, message: "it waits for an earlier change of the same record")
}

extension OpenOperation.Change {
    var operation: MutationOperation {
        switch self {
        case .create: .create
        case .update: .update
        case .delete: .delete
        }
    }

    /// The payload that is sent and stored; nil for a deletion.
    var payload: RecordDocument? {
        switch self {
        case .create(let document): document
        case .update(let patch): patch.json
        case .delete: nil
        }
    }
}
