import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

/// A request, understood.
struct ServerCall {
    enum Target {
        case health
        case exchange
        case refresh(String)
        case changes(since: Int64, limit: Int)
        case latestCursor
        case read(RecordRoute, id: String)
        case list(RecordRoute, ParentScope?, limit: Int?, offset: Int)
        case write(ServerWrite)
    }

    let target: Target
    let key: String?

    init(_ request: TransportRequest, _ routes: [RecordRoute]) throws {
        key = request.headers["Idempotency-Key"]
        target = try Self.target(of: request, routes)
    }

    private static func target(of request: TransportRequest, _ routes: [RecordRoute]) throws -> Target {
        let path = request.url.path
        if path == "/health" { return .health }
        let query = queryItems(request.url)
        switch (request.method, path) {
        case (.post, "/api/v1/sync"): return .exchange
        case (.post, "/api/v1/auth/refresh"):
            let body = try WireCoding.decode([String: String].self, from: request.body ?? Data())
            return .refresh(body["refresh_token"] ?? "")
        case (.get, "/api/v1/changes"):
            return .changes(
                since: query["since"].flatMap { Int64($0) } ?? 0, limit: query["limit"].flatMap { Int($0) } ?? 100)
        case (.get, "/api/v1/changes/latest-cursor"):
            return .latestCursor
        default:
            return try recordTarget(request, path.split(separator: "/").dropFirst(2).map(String.init), query, routes)
        }
    }

    private static func recordTarget(
        _ request: TransportRequest, _ parts: [String], _ query: [String: String], _ routes: [RecordRoute]
    ) throws -> Target {
        for route in routes {
            if let place = collection(parts, route) {
                if request.method == .post { return .write(try ServerWrite(.create, route, request, place.scope)) }
                let limit = query["limit"].flatMap { Int($0) } ?? route.paging.standard
                return .list(route, place.scope, limit: limit, offset: query["offset"].flatMap { Int($0) } ?? 0)
            }
            guard parts.count == 2, parts[0] == route.itemPath else { continue }
            switch request.method {
            case .post where parts[1] == "batch" && route.batchMember != nil:
                return .write(try ServerWrite(.batch, route, request, nil))
            case .get: return .read(route, id: parts[1])
            case .put: return .write(try ServerWrite(.update(parts[1]), route, request, nil))
            case .delete: return .write(try ServerWrite(.delete(parts[1]), route, request, nil))
            default: break
            }
        }
        throw ServerProblem(.notFound, "there is no \(request.url.path)")
    }

    private static func collection(_ parts: [String], _ route: RecordRoute) -> (scope: ParentScope?, Void)? {
        guard let nesting = route.nesting else { return parts == [route.path] ? (nil, ()) : nil }
        guard parts.count == 3, parts[0] == nesting.path, parts[2] == route.path else { return nil }
        return (ParentScope(field: nesting.field, parent: RecordKey(nesting.parentType, parts[1])), ())
    }

    private static func queryItems(_ url: URL) -> [String: String] {
        var items: [String: String] = [:]
        for pair in (url.query ?? "").split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { items[String(parts[0])] = String(parts[1]) }
        }
        return items
    }
}

/// A request that changes records.
struct ServerWrite {
    enum Kind: Equatable {
        case create, batch
        case update(String)
        case delete(String)
    }

    let kind: Kind
    let route: RecordRoute
    let scope: ParentScope?
    private(set) var data: Data

    init(_ kind: Kind, _ route: RecordRoute, _ request: TransportRequest, _ scope: ParentScope?) throws {
        self.kind = kind
        self.route = route
        self.scope = scope
        data = request.body ?? Data()
    }

    var entityType: EntityType { route.kind.entityType }
    var body: String { String(decoding: data, as: UTF8.self) }

    var operation: MutationOperation {
        switch kind {
        case .create, .batch: .create
        case .update: .update
        case .delete: .delete
        }
    }

    /// The record that the path names.
    var id: String? {
        switch kind {
        case .update(let id), .delete(let id): id
        case .create, .batch: nil
        }
    }

    /// The records in the body.
    var fields: [[String: JSONValue]] {
        let json = try? WireCoding.decode([String: JSONValue].self, from: data)
        guard kind == .batch else { return json.map { [$0] } ?? [] }
        guard case .array(let items)? = json?[route.batchMember ?? ""] else { return [] }
        return items.compactMap(\.objectValue)
    }

    /// The write without some members of its one record.
    func leavingOut(_ isLeftOut: (String, JSONValue) -> Bool) -> ServerWrite {
        guard kind != .batch, let fields = fields.first,
            let rest = try? WireCoding.encode(fields.filter { !isLeftOut($0, $1) })
        else { return self }
        var write = self
        write.data = rest
        return write
    }

    func carryOut(_ records: RecordService, _ context: WriteContext) throws -> WriteReply {
        switch kind {
        case .create: try records.create(entityType, data, beneath: scope, context)
        case .batch: try records.createBatch(entityType, data, member: route.batchMember ?? "", context)
        case .update(let id): try records.update(entityType, id: id, data, context)
        case .delete(let id): try records.delete(entityType, id: id, context)
        }
    }

    /// The ids that were sent, and those that the answer gives the records.
    func landed(_ reply: WriteReply) throws -> [String: String] {
        if let id { return [id: id] }
        let json = try WireCoding.decode([String: JSONValue].self, from: reply.document ?? Data("{}".utf8))
        let sent = fields.compactMap { $0["id"]?.stringValue }
        guard kind == .batch else { return Self.pairs(sent, [json["id"]?.stringValue].compactMap { $0 }) }
        guard case .array(let created)? = json["created"] else { return [:] }
        var refused: Set<Int> = []
        if case .array(let errors)? = json["errors"] {
            for error in errors { error.objectValue?["index"]?.doubleValue.map { _ = refused.insert(Int($0)) } }
        }
        let taken = sent.enumerated().filter { !refused.contains($0.offset) }.map(\.element)
        return Self.pairs(taken, created.compactMap { $0.objectValue?["id"]?.stringValue })
    }

    private static func pairs(_ sent: [String], _ stored: [String]) -> [String: String] {
        Dictionary(zip(sent, stored), uniquingKeysWith: { $1 })
    }
}
