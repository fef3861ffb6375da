import Synchronization
public import TrendyDomain

/// A server of the exchange in memory, with one account: `Docs/Protocol.md` to the letter, for any kinds of record.
///
/// A test decides which of its answers are lost, what other devices do meanwhile, and what becomes of its memory:
///
/// ```swift
/// let server = ExchangeServer()
/// try server.create(makeEventType(id: testId(1)))
/// server.script([.loseAnswer(.timeout)])       // carried out, but nobody hears of it
/// try await device.sync()
/// #expect(server.head == 2 && server.requests.count == 1)
/// ```
///
/// ``ExchangeContract`` holds it and the reference server to the same promises.
public final class ExchangeServer: Sendable {
    /// What becomes of a request.
    public enum Step: Sendable {
        /// It is answered.
        case answer
        /// It is lost on the way: nothing is carried out, and the error is thrown.
        case loseRequest(APIError)
        /// It is carried out, and the error is thrown in place of the answer.
        case loseAnswer(APIError)
    }

    /// All that a server knows of an account, as a backup holds it.
    public struct Backup: Sendable {
        let account: ExchangeAccount
    }

    private struct State {
        var account: ExchangeAccount
        var run = State.makeRun()
        var epochs = 1
        var requests: [SyncRequest] = []
        var script: [Step] = []
        var pageLimit = SyncRequest.changeLimit
        var mutationLimit = SyncRequest.mutationLimit
        var helperKeys = 0

        /// A name that no other start of a server has.
        static func makeRun() -> String { String(UInt64.random(in: 0 ... .max), radix: 36) }
    }

    /// The kinds of record that it keeps.
    public let schema: EntitySchema
    private let clock: any WallClock
    private let state: Mutex<State>

    /// Makes a server without records.
    ///
    /// - Parameter clock: Where it reads the times that it stamps.
    public init(schema: EntitySchema = .trendy, clock: any WallClock = ManualWallClock()) {
        self.schema = schema
        self.clock = clock
        state = Mutex(State(account: ExchangeAccount(epoch: "epoch-1")))
    }

    /// Carries out a request, or does what the script says.
    ///
    /// - Throws: ``APIError``: as HTTP would tell it where the request is refused as a whole, else the script's.
    public func exchange(_ request: SyncRequest) throws(APIError) -> SyncResponse {
        try state.withLock { state throws(APIError) in
            state.requests.append(request)
            let step = state.script.isEmpty ? .answer : state.script.removeFirst()
            if case .loseRequest(let error) = step { throw error }
            let response = try answer(request, &state)
            if case .loseAnswer(let error) = step { throw error }
            return response
        }
    }

    private func answer(_ request: SyncRequest, _ state: inout State) throws(APIError) -> SyncResponse {
        guard request.mutations.count <= state.mutationLimit else {
            throw APIError.refusal(413, "bad_request", "at most \(state.mutationLimit) mutations are allowed")
        }
        guard request.limit > 0 else { throw APIError.refusal(400, "validation", "limit must not be less than 1") }
        let cursor = try request.cursor.map(ProvenCursor.init(text:))
        guard state.account.proves(request, cursor) else {
            // It was put back under its name: the lost history and this one may not share it.
            if request.epoch == state.account.epoch { state.account.epoch = Self.nextEpoch(&state) }
            throw APIError.refusal(409, "epoch_changed", "this account has another history; take all anew")
        }
        if request.epoch == nil, cursor != nil || request.mutations.contains(where: { $0.base != 0 }) {
            throw APIError.refusal(400, "validation", "epoch is required beside a cursor or a base")
        }
        if let place = cursor?.place, place.revision < state.account.horizon {
            throw APIError.refusal(410, "cursor_expired", "deletions since this cursor are not kept; take all anew")
        }
        let limit = min(request.limit, SyncRequest.changeLimit, state.pageLimit)
        return state.account.exchange(
            request, from: cursor?.place, limit: limit, run: state.run, schema: schema, at: clock.now())
    }

    private static func nextEpoch(_ state: inout State) -> String {
        state.epochs += 1
        return "epoch-\(state.epochs)"
    }
}

// MARK: What tests decide

extension ExchangeServer {
    /// Scripts the next requests, after those that are scripted already. Later requests are answered.
    public func script(_ steps: [Step]) { state.withLock { $0.script += steps } }

    /// Forgets the script: all requests are answered.
    public func endScript() { state.withLock { $0.script = [] } }

    /// Puts at most so many changes into a page, whatever is asked for.
    public func limitPages(to count: Int) { state.withLock { $0.pageLimit = count } }

    /// Refuses requests with more mutations than that (413).
    public func limitMutations(to count: Int) { state.withLock { $0.mutationLimit = count } }

    /// Rejects all mutations of these records and no others, as a server with rules of its own does.
    public func reject(_ ids: Set<String>, errors: [FieldError] = []) {
        state.withLock { state in
            state.account.refused = Dictionary(uniqueKeysWithValues: ids.map { ($0, errors) })
        }
    }

    /// Forgets the keys of all mutations, as servers do after 90 days.
    public func forgetKeys() { state.withLock { $0.account.keys = [:] } }

    /// Prunes all tombstones. A device that has not read the last of them must take everything anew.
    public func pruneTombstones() {
        state.withLock { state in
            state.account.horizon = max(state.account.horizon, state.account.tombstones.values.max() ?? 0)
            state.account.tombstones = [:]
        }
    }

    /// Empties the account, which begins another history.
    public func reset() { state.withLock { $0.account = ExchangeAccount(epoch: Self.nextEpoch(&$0)) } }

    /// What the server knows of the account, for ``restore(_:underItsName:)``.
    public func backup() -> Backup { Backup(account: state.withLock { $0.account }) }

    /// Begins another run, as a server does that is started anew.
    public func restart() { state.withLock { $0.run = State.makeRun() } }

    /// Puts the account back as it was, and begins another run. The backup may be that of another server, whose clone this
    /// one becomes.
    ///
    /// - Parameter keepsName: Whether the operator has forgotten to give the history another name.
    public func restore(_ backup: Backup, underItsName keepsName: Bool = false) {
        state.withLock { state in
            state.account = backup.account
            state.run = State.makeRun()
            if !keepsName { state.account.epoch = Self.nextEpoch(&state) }
        }
    }
}

// MARK: Another device

extension ExchangeServer {
    /// Says that the server does not take what another device was to do.
    public struct Refusal: Error, Sendable {
        /// What it answers.
        public let result: SyncResult
    }

    /// Makes a record as another device does, also where its id has a tombstone. Answers its revision.
    ///
    /// - Throws: ``Refusal`` where the outcome is another than `accepted`; likewise the two below.
    @discardableResult
    public func create(_ entity: some SyncEntity) throws -> Int64 {
        let data = JSONValue.object(try WireCoding.fields(of: entity))
        return try carryOut(.create, ExchangeName(type(of: entity).entityType, entity.id), data)
    }

    /// Changes a record, whatever version it has. Answers its revision.
    @discardableResult
    public func change(_ entityType: EntityType, _ id: String, _ patch: JSONValue) throws -> Int64 {
        try carryOut(.update, ExchangeName(entityType, id), patch)
    }

    /// Deletes a record, with what cannot be without it. Answers the revision of its tombstone.
    @discardableResult
    public func delete(_ entityType: EntityType, _ id: String) throws -> Int64 {
        try carryOut(.delete, ExchangeName(entityType, id), nil)
    }

    private func carryOut(_ operation: MutationOperation, _ name: ExchangeName, _ data: JSONValue?) throws -> Int64 {
        let result = state.withLock { state in
            state.helperKeys += 1
            let account = state.account
            let mutation = SyncMutation(
                key: "another-device-\(state.helperKeys)", entityType: name.entityType, operation: operation,
                entityId: name.id, base: account.records[name]?.revision ?? account.tombstones[name] ?? 0, data: data)
            let request = SyncRequest(limit: 1, mutations: [mutation])
            return state.account.exchange(
                request, from: .changes(after: account.head), limit: 1, run: state.run, schema: schema, at: clock.now()
            ).results[0]
        }
        guard result.outcome == .accepted else { throw Refusal(result: result) }
        return result.revision
    }
}

// MARK: What it knows

extension ExchangeServer {
    /// Every request so far, those that were lost too.
    public var requests: [SyncRequest] { state.withLock { $0.requests } }

    /// How many mutations came with all requests, also with lost ones, and also those that were sent again.
    public var mutationCount: Int { requests.reduce(0) { $0 + $1.mutations.count } }

    /// The name of the history.
    public var epoch: String { state.withLock { $0.account.epoch } }

    /// The revision of the latest change.
    public var head: Int64 { state.withLock { $0.account.head } }

    /// The records of a kind as changes show them, in the order of their ids.
    public func records(of entityType: EntityType) -> [JSONValue] {
        state.withLock { $0.account.list(entityType, after: nil).compactMap(\.record) }
    }

    /// A record as changes show it; nil where there is none.
    public func document(_ entityType: EntityType, _ id: String) -> JSONValue? {
        state.withLock { $0.account.records[ExchangeName(entityType, id)]?.document }
    }

    /// The revision of a record, or of its tombstone; nil where there is neither.
    public func revision(_ entityType: EntityType, _ id: String) -> Int64? {
        let name = ExchangeName(entityType, id)
        return state.withLock { $0.account.records[name]?.revision ?? $0.account.tombstones[name] }
    }
}

extension APIError {
    /// The refusal of a request as a whole, as the client reads it from the server's answer.
    static func refusal(_ status: Int, _ name: String, _ detail: String) -> APIError {
        MockServer.refusal(status, name, detail)
    }
}
