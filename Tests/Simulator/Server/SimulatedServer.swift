import Foundation
import TrendyData
import TrendyDomain
import TrendyServer
import TrendyTestSupport

/// The real core of the server, on SQLite in memory, with requests brought to it as values.
final class SimulatedServer {
    static let routes = [RecordRoute].trendy + [Memo.serverRoute]

    let clock: ManualWallClock
    private(set) var feed = ServerFeed()
    /// Every change of a record that was carried out, in the order of the commits.
    private(set) var effects: [ServerEffect] = []
    /// The records that creations turned out to stand for, as devices were told.
    private(set) var twins: [MutationName: String] = [:]
    /// Whether it has the exchange.
    let gateway: Gateway
    /// How this server differs from ours.
    let ways: Set<ServerWay>
    /// Every request with a token, and every renewal, is answered with 401.
    var signInIsOut = false
    /// What a planted bug makes of a request before it is carried out.
    var misreads: ((TransportRequest, SimulatedServer) -> TransportRequest)?
    /// Whether an entry of the feed comes out garbled, and whether one never comes.
    var garbles: (inout Dice) -> Bool = { _ in false }
    var losesEntry: (inout Dice) -> Bool = { _ in false }
    var losesDeletion: (inout Dice) -> Bool = { _ in false }

    let accounts: AccountService
    private var store: SQLiteServerStore
    private var records: RecordService
    private let random: SeededRandomSource
    /// How far this bookkeeping has read.
    private var place: (epoch: String, cursor: String)?
    let userId: String

    /// A kind that a planted bug puts in the place of ours.
    private let kind: RecordKind?

    init(seed: UInt64, gateway: Gateway, ways: Set<ServerWay>, kind: RecordKind? = nil) throws {
        let clock = ManualWallClock()
        self.kind = kind
        self.clock = clock
        self.gateway = gateway
        self.ways = ways
        random = SeededRandomSource(seed: seed &+ 1)
        store = try SQLiteServerStore()
        accounts = AccountService(
            store: store, clock: clock, ids: SequentialIdentifiers(series: 7),
            random: SeededRandomSource(seed: seed), lifetimes: TokenLifetimes(access: 2700), cost: .minimal)
        records = try Self.makeRecords(store, clock, random, kind)
        let credentials = PasswordCredentials(email: "ann@example.org", password: "correct horse battery")
        userId = try accounts.signUp(credentials).user.id
        _ = try readChanges()
    }

    private static func makeRecords(
        _ store: SQLiteServerStore, _ clock: ManualWallClock, _ random: SeededRandomSource, _ other: RecordKind?
    ) throws -> RecordService {
        RecordService(store: store, catalog: try makeCatalog(other), clock: clock, random: random)
    }

    private static func makeCatalog(_ other: RecordKind?) throws -> RecordCatalog {
        let kinds: [RecordKind] = [.eventType, .geofence, .propertyDefinition, .event, RecordKind(Memo.self)]
        return try RecordCatalog(
            kinds.map { kind in other.flatMap { $0.entityType == kind.entityType ? $0 : nil } ?? kind })
    }

    /// Signs a device in.
    func signIn() throws -> SessionGrant {
        try accounts.logIn(PasswordCredentials(email: "ann@example.org", password: "correct horse battery"))
    }

    /// The cursor of one who has read everything just now.
    var freshCursor: String? {
        let request = SyncRequest(epoch: place?.epoch, cursor: place?.cursor, limit: SyncRequest.changeLimit)
        return try? SyncResponse(parsing: records.sync(records.prepareSync(request.json()), userId: userId)).cursor
    }

    /// Where the account stands.
    func head() throws -> ServerHead { try records.head(userId: userId) }

    /// Starts anew on what was committed.
    func restart() throws { records = try Self.makeRecords(store, clock, random, kind) }

    /// Copies all records into a file, as a snapshot of the disk does.
    func copy(to file: URL) throws {
        _ = try ServerOperator(store: store, catalog: Self.makeCatalog(kind)).backUp(to: file, isForced: true)
    }

    /// Starts anew on a copy, and begins its bookkeeping anew. Accounts and sign-ins stay as they are.
    func restart(on file: URL) throws {
        store = try SQLiteServerStore(file: file)
        try restart()
        (effects, byMutation, twins, feed, place) = ([], [:], [:], ServerFeed(), nil)
        try note([], at: nil) { _ in .told }
    }

    /// The record as the server has it.
    func record(_ id: String) -> Fields? { feed.current(id) }

    /// Whether a record has a value after the server has done something, or is gone.
    func hasTaken(_ value: JSONValue, _ path: FieldPath, with effect: ServerEffect) -> Bool {
        let after = feed.versions[effect.landed]?.last { $0.effect <= effect.sequence }
        return after?.fields.map { $0[path] == value } ?? true
    }

    /// Whether a record was gone at some moment after people did something and before the server did something.
    func wasGone(_ id: String, after act: Int, before sequence: Int) -> Bool {
        let versions = (feed.versions[id] ?? []).filter { $0.effect < sequence }
        let start = versions.lastIndex { effects[$0.effect].actsBefore <= act } ?? 0
        return versions.dropFirst(start).contains { $0.operation == .delete }
    }

    /// All records of a kind.
    func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Remote<Entity>] {
        try WireCoding.decode([Remote<Entity>].self, from: records.list(Entity.entityType, userId: userId))
    }

    /// What the server did that came of a mutation of a device.
    func effects(of mutation: MutationName) -> [ServerEffect] { (byMutation[mutation] ?? []).map { effects[$0] } }

    private var byMutation: [MutationName: [Int]] = [:]

    // MARK: Requests

    /// Answers a request.
    ///
    /// - Parameter place: The place in the feed that its transaction was given when it began.
    func handle(_ exchange: Exchange, place: Int64?, dice: inout Dice) -> TransportResponse {
        do {
            return try answer(misreads?(exchange.request, self) ?? exchange.request, exchange, place, &dice)
        } catch let problem as ServerProblem {
            return .problem(problem)
        } catch {
            return .problem(ServerProblem(.internal, "\(error)"))
        }
    }

    private func answer(
        _ request: TransportRequest, _ exchange: Exchange, _ place: Int64?, _ dice: inout Dice
    ) throws -> TransportResponse {
        let call = try ServerCall(request, Self.routes)
        switch call.target {
        case .health:
            return .json(200, Data(#"{"status":"ok"}"#.utf8))
        case .refresh(let token):
            if signInIsOut { throw ServerProblem(.unauthorized, "the sign-in service is out of order") }
            return .json(200, try WireCoding.encode(accounts.refresh(token)))
        case .exchange:
            try authenticate(request)
            if gateway == .rest { throw ServerProblem(.notFound, "there is no \(request.url.path)") }
            return try sync(request, exchange)
        case .changes(let since, let limit):
            try authenticate(request)
            return .json(200, try feed.encodedPage(since: since, limit: limit))
        case .latestCursor:
            try authenticate(request)
            return .json(200, Data(#"{"cursor":\#(feed.latest)}"#.utf8))
        case .read(let route, let id):
            try authenticate(request)
            return .json(200, try records.get(route.kind.entityType, id: id, userId: userId))
        case .list(let route, let scope, let limit, let offset):
            try authenticate(request)
            return .json(
                200,
                try records.list(
                    route.kind.entityType, userId: userId, limit: limit, offset: offset, beneath: scope))
        case .write(let write):
            try authenticate(request)
            return try carryOut(write, call, exchange, place, &dice)
        }
    }

    private func authenticate(_ request: TransportRequest) throws {
        if signInIsOut { throw ServerProblem(.unauthorized, "the sign-in service is out of order") }
        let token = request.headers["Authorization"]?.dropFirst("Bearer ".count) ?? ""
        _ = try accounts.authenticate(String(token))
    }

    // MARK: The exchange

    private func sync(_ request: TransportRequest, _ exchange: Exchange) throws -> TransportResponse {
        if exchange.sent.contains(where: \.isCursed) { throw ServerProblem(.internal, "index out of range") }
        let answer = try records.sync(records.prepareSync(request.body ?? Data()), userId: userId)
        if exchange.sent.isEmpty { return .json(200, answer) }
        let results = try SyncResponse(parsing: answer).results
        var made: [ServerEffect] = []
        for (sent, result) in zip(exchange.sent, results) {
            if result.outcome == .accepted, !result.replayed {
                made.append(
                    ServerEffect(
                        sequence: 0, device: exchange.sender.device, sent: sent, landed: sent.id,
                        revision: result.revision))
            }
            if result.outcome == .duplicate, let twin = result.record?.objectValue?["id"]?.stringValue {
                noteTwin(twin, of: sent, from: exchange.sender.device)
            }
        }
        try note(made, at: nil) { _ in .told }
        return .json(200, answer)
    }

    // MARK: The first API

    private func carryOut(
        _ write: ServerWrite, _ call: ServerCall, _ exchange: Exchange, _ place: Int64?, _ dice: inout Dice
    ) throws -> TransportResponse {
        if let refusal = refusalOfDeployed(write, exchange) { return refusal }
        let sent = write
        let write = taken(write)
        if ways.contains(.emptyEditsFail), case .update = write.kind, sent.fields != [[:]], write.fields == [[:]] {
            return .problem(ServerProblem(.internal, "no rows in result set"))
        }
        let hasKey = write.operation != .delete || !ways.contains(.deletionsHaveNoKeys)
        let context = WriteContext(userId: userId, idempotencyKey: hasKey ? call.key : nil)
        let reply: WriteReply
        do {
            reply = try write.carryOut(records, context)
        } catch let problem as ServerProblem where problem.kind == .notFound && ways.contains(.goneIsServerError) {
            if case .create = write.kind { throw problem }
            throw ServerProblem(.internal, "no rows in result set")
        }
        if !reply.isReplay, reply.outcome != .noneCreated {
            let landed = try write.landed(reply)
            let made = exchange.sent.compactMap { sent in
                landed[sent.id].map {
                    ServerEffect(sequence: 0, device: exchange.sender.device, sent: sent, landed: $0)
                }
            }
            var chance = dice
            try note(made, at: place) { isThere in
                if isThere ? losesEntry(&chance) : losesDeletion(&chance) { return .lost }
                return isThere && garbles(&chance) ? .garbled : .told
            }
            dice = chance
        }
        var headers = ["Content-Type": "application/json"]
        if reply.isReplay { headers["X-Idempotency-Replayed"] = "true" }
        return TransportResponse(status: reply.outcome.httpStatus, headers: headers, body: reply.document ?? Data())
    }

    /// What a deployed server answers where ours would do better.
    private func refusalOfDeployed(_ write: ServerWrite, _ exchange: Exchange) -> TransportResponse? {
        if exchange.sent.contains(where: \.isCursed) { return .problem(ServerProblem(.internal, "index out of range")) }
        let isTaken = TransportResponse.problem(
            ServerProblem(.internal, "duplicate key value violates unique constraint"))
        switch write.kind {
        case .create where write.entityType == .eventType && ways.contains(.typesArePlainInserts):
            let name = write.fields.first?["name"]
            let others = (try? all(EventType.self)) ?? []
            return others.contains { .string($0.id) == write.fields.first?["id"] || .string($0.entity.name) == name }
                ? isTaken : nil
        case .batch where ways.contains(.batchIsAllOrNothing) && exchange.sent.contains { record($0.id) != nil }:
            return isTaken
        case .create where collides(write.fields):
            return .problem(ServerProblem(.conflict, "there is an event of this id"))
        case .create where ways.contains(.samplesAreAnsweredEmpty):
            return emptyAnswer(to: write)
        case .batch where collides(write.fields): return isTaken
        case .update(let id):
            let changed = (record(id) ?? [:]).applying(write.fields.first ?? [:]).merging(["id": .string(id)]) { $1 }
            return write.entityType == .event && collides([changed]) ? isTaken : nil
        default:
            return nil
        }
    }

    /// Whether an event has the type and the moment of another.
    private func collides(_ sent: [Fields]) -> Bool {
        guard ways.contains(.timestampsCollide), sent.contains(where: { $0["timestamp"] != nil }),
            let events = try? all(Event.self)
        else { return false }
        var moments = Dictionary(events.map { ("\($0.entity.eventTypeId) \($0.entity.timestamp)", $0.id) }) {
            first, _ in first
        }
        return sent.contains { fields in
            let name = "\(fields["event_type_id"]?.stringValue ?? "") \(fields["timestamp"]?.stringValue ?? "")"
            let id = fields["id"]?.stringValue ?? ""
            defer { moments[name] = id }
            return moments[name].map { $0 != id } ?? false
        }
    }

    private func emptyAnswer(to write: ServerWrite) -> TransportResponse? {
        guard let sample = write.fields.first?["healthkit_sample_id"]?.stringValue,
            let other = try? all(Event.self).first(where: { $0.entity.healthKitSampleId == sample }),
            .string(other.id) != write.fields.first?["id"]
        else { return nil }
        let empty = Event(id: other.id, eventTypeId: "", timestamp: Timestamp(milliseconds: 0))
        return (try? WireCoding.encode(empty)).map { .json(200, $0) }
    }

    /// The part of a write that a deployed server takes.
    private func taken(_ write: ServerWrite) -> ServerWrite {
        var write = write
        if ways.contains(.singlesLoseLocation), write.kind == .create, write.entityType == .event {
            write = write.leavingOut { field, _ in field == "geofence_id" || field.hasPrefix("location_") }
        }
        if ways.contains(.someNullsStay), case .update = write.kind {
            write = write.leavingOut { field, value in
                value == .null && ["location_latitude", "location_longitude", "default_value"].contains(field)
            }
        }
        return write
    }

    // MARK: Bookkeeping

    private func noteTwin(_ id: String, of sent: SentChange, from device: Int) {
        guard let mutation = sent.mutation else { return }
        twins[MutationName(device: device, id: mutation)] = id
    }

    /// Notes what was done, and what has changed by it.
    ///
    /// - Parameters:
    ///   - place: The place in the feed of the first change.
    ///   - telling: How the feed tells a change; told whether it is one of a record that is there.
    private func note(_ made: [ServerEffect], at place: Int64?, telling: (Bool) -> Telling) throws {
        let first = effects.count
        for effect in made {
            var effect = effect
            effect.sequence = effects.count
            effects.append(effect)
            if let mutation = effect.sent.mutation {
                byMutation[MutationName(device: effect.device, id: mutation), default: []].append(effect.sequence)
            }
            if effect.landed != effect.sent.id { noteTwin(effect.landed, of: effect.sent, from: effect.device) }
        }
        var place = place
        for change in try readChanges() {
            let index = effects[first...].firstIndex {
                gateway == .exact ? $0.revision >= change.revision : $0.landed == change.entityId
            }
            let effect = index ?? max(first, effects.count - 1)
            let isNew = !change.deleted && change.createdRevision == change.revision
            if effect < effects.count {
                effects[effect].changed.insert(change.entityId)
                if isNew { effects[effect].made.insert(change.entityId) }
            }
            let isCascaded = change.deleted && !made.contains { $0.landed == change.entityId }
            let entry = ChangeEntry(
                id: 0, entityType: change.entityType, operation: change.deleted ? .delete : isNew ? .create : .update,
                entityId: change.entityId, data: change.record, deletedAt: change.deleted ? clock.now() : nil,
                createdAt: clock.now())
            let version = LoggedVersion(entry: entry, revision: change.revision, effect: effect)
            let told = telling(!change.deleted)
            // A record of which the feed tells neither the beginning nor the end looks like one that a restored server has lost.
            let isNeverTold = change.deleted && !feed.tells(of: change.entityId)
            if told == .lost && !isNeverTold || isCascaded && ways.contains(.cascadesAreNotLogged) {
                feed.noteUnlogged(version)
                continue
            }
            feed.append(
                version, at: gateway == .exact ? change.revision : place, isGarbled: told == .garbled)
            place = nil
        }
    }

    /// What has changed since the last call, in the order of the revisions.
    private func readChanges() throws -> [SyncChange] {
        var changes: [SyncChange] = []
        while true {
            let request = SyncRequest(epoch: place?.epoch, cursor: place?.cursor, limit: SyncRequest.changeLimit)
            let answer = try SyncResponse(parsing: records.sync(records.prepareSync(request.json()), userId: userId))
            place = (answer.epoch, answer.cursor)
            changes += answer.changes
            if !answer.more { return changes }
        }
    }
}

/// How a feed tells of a change.
private enum Telling {
    case told, garbled, lost
}

/// A mutation in the ledger of a device.
struct MutationName: Hashable {
    var device: Int
    var id: Int64
}
