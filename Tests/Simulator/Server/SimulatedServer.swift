import Foundation
import TrendyData
import TrendyDomain
import TrendyServer
import TrendyTestSupport

/// The real core of the server, on SQLite in memory, with requests brought to it as values.
final class SimulatedServer {
    let clock: ManualWallClock
    let feed = ServerFeed()
    /// Every write that was carried out, in the order of the commits.
    private(set) var effects: [ServerEffect] = []
    /// How this server differs from ours.
    let ways: Set<ServerWay>
    /// Every request with a token, and every renewal, is answered with 401.
    var signInIsOut = false
    /// How likely an entry of the feed comes out garbled.
    var garbles: (inout Dice) -> Bool = { _ in false }

    let accounts: AccountService
    private let store: SQLiteServerStore
    private var records: RecordService
    private let routes = [RecordRoute].trendy + [Memo.serverRoute]
    private var lastCopied: Int64 = 0
    let userId: String

    init(seed: UInt64, ways: Set<ServerWay>) throws {
        let clock = ManualWallClock()
        self.clock = clock
        self.ways = ways
        store = try SQLiteServerStore()
        accounts = AccountService(
            store: store, clock: clock, ids: SequentialIdentifiers(series: 7),
            random: SeededRandomSource(seed: seed), lifetimes: TokenLifetimes(access: 2700), cost: .minimal)
        records = try Self.makeRecords(store, clock)
        let credentials = TrendyServer.Credentials(email: "ann@example.org", password: "correct horse battery")
        userId = try accounts.signUp(credentials).user.id
    }

    private static func makeRecords(_ store: SQLiteServerStore, _ clock: ManualWallClock) throws -> RecordService {
        let catalog = try RecordCatalog(
            [.eventType, .geofence, .propertyDefinition, .event, RecordKind(Memo.self)])
        return RecordService(store: store, catalog: catalog, clock: clock)
    }

    /// Signs a device in.
    func signIn() throws -> SessionGrant {
        try accounts.logIn(TrendyServer.Credentials(email: "ann@example.org", password: "correct horse battery"))
    }

    /// Starts anew on what was committed.
    func restart() throws { records = try Self.makeRecords(store, clock) }

    /// The record as the server has it.
    func record(_ type: EntityType, _ id: String) -> [String: JSONValue]? {
        guard let json = try? records.get(type, id: id, userId: userId) else { return nil }
        return try? WireCoding.decode([String: JSONValue].self, from: json)
    }

    /// All records of a kind.
    func all<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Remote<Entity>] {
        try WireCoding.decode([Remote<Entity>].self, from: records.list(Entity.entityType, userId: userId))
    }

    // MARK: Requests

    /// Answers a request.
    ///
    /// - Parameter place: The place in the feed that its transaction was given when it began.
    func handle(_ exchange: Exchange, place: Int64?, dice: inout Dice) -> TransportResponse {
        do {
            return try answer(exchange, place, &dice)
        } catch let problem as ServerProblem {
            return .problem(problem)
        } catch {
            return .problem(ServerProblem(.internal, "\(error)"))
        }
    }

    private func answer(
        _ exchange: Exchange, _ place: Int64?, _ dice: inout Dice
    ) throws -> TransportResponse {
        let request = exchange.request
        let call = try ServerCall(request, routes)
        switch call.target {
        case .health:
            return .json(200, Data(#"{"status":"ok"}"#.utf8))
        case .refresh(let token):
            if signInIsOut { throw ServerProblem(.unauthorized, "the sign-in service is out of order") }
            return .json(200, try WireCoding.encode(accounts.refresh(token)))
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

    private func carryOut(
        _ write: ServerWrite, _ call: ServerCall, _ exchange: Exchange, _ place: Int64?, _ dice: inout Dice
    ) throws -> TransportResponse {
        if let refusal = refusalOfDeployed(write, call) { return refusal }
        let hasKey = write.operation != .delete || !ways.contains(.deletionsHaveNoKeys)
        let context = WriteContext(userId: userId, idempotencyKey: hasKey ? call.key : nil)
        let reply: WriteReply
        do {
            reply = try write.carryOut(records, context)
        } catch let problem as ServerProblem where problem.kind == .notFound && ways.contains(.goneIsServerError) {
            if case .create = write.kind { throw problem }
            throw ServerProblem(.internal, "no rows in result set")
        }
        if !reply.isReplay { try note(write, reply, call, exchange, place, &dice) }
        return TransportResponse(
            status: reply.outcome.httpStatus, headers: ["Content-Type": "application/json"],
            body: reply.document ?? Data())
    }

    /// What a deployed server answers where ours would do better.
    private func refusalOfDeployed(_ write: ServerWrite, _ call: ServerCall) -> TransportResponse? {
        if write.body.contains("cursed") { return .problem(ServerProblem(.internal, "index out of range")) }
        switch write.kind {
        case .create where write.entityType == .eventType && ways.contains(.typesArePlainInserts):
            let name = write.fields.first?["name"]
            let isTaken = (try? all(EventType.self))?.contains { type in
                .string(type.id) == write.fields.first?["id"] || .string(type.entity.name) == name
            }
            return isTaken == true ? .problem(ServerProblem(.internal, "duplicate key value")) : nil
        case .batch where ways.contains(.batchIsAllOrNothing):
            let ids = write.fields.compactMap { $0["id"]?.stringValue }
            let exists = ids.contains { record(write.entityType, $0) != nil }
            let made = effects.last { $0.key == call.key }?.made ?? []
            let isWhole = made.allSatisfy { record(write.entityType, $0) != nil }
            return exists && isWhole ? .problem(ServerProblem(.internal, "duplicate key value")) : nil
        case .create where write.entityType == .event && ways.contains(.timestampsCollide):
            return collides(write) ? .problem(ServerProblem(.conflict, "there is an event at this time")) : nil
        default:
            return nil
        }
    }

    private func collides(_ write: ServerWrite) -> Bool {
        guard let fields = write.fields.first, let events = try? all(Event.self) else { return false }
        return events.contains { event in
            .string(event.id) != fields["id"] && .string(event.entity.eventTypeId) == fields["event_type_id"]
                && .string(event.entity.timestamp.description) == fields["timestamp"]
        }
    }

    // MARK: Bookkeeping

    /// Copies the new changes into the feed that is given out, and notes what was done.
    private func note(
        _ write: ServerWrite, _ reply: WriteReply, _ call: ServerCall, _ exchange: Exchange, _ place: Int64?,
        _ dice: inout Dice
    ) throws {
        guard reply.outcome != .noneCreated else { return }
        let page = try WireCoding.decode(
            ChangeFeedResponse.self, from: records.changes(userId: userId, since: lastCopied, limit: 500))
        var place = place
        for entry in page.changes {
            lastCopied = entry.id
            let isCascaded = entry.operation == .delete && entry.entityId != write.id
            if isCascaded, ways.contains(.cascadesAreNotLogged) { continue }
            let isGarbled = entry.operation != .delete && garbles(&dice)
            feed.append(entry, at: place, isGarbled: isGarbled)
            place = nil
        }
        effects.append(
            ServerEffect(
                sequence: effects.count, device: exchange.sender.device, actsBefore: exchange.actsBefore, key: call.key,
                operation: write.operation, entityType: write.entityType, landed: try write.landed(reply),
                body: write.body,
                changed: Set(page.changes.map(\.entityId)),
                made: Set(page.changes.filter { $0.operation == .create }.map(\.entityId))))
    }
}
