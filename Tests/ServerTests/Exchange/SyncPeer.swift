import Foundation
import TrendyDomain
import TrendyServer
import TrendyTestSupport

/// A device of a test that speaks the exchange with a server's core, and remembers its place.
final class SyncPeer {
    let world: ServerWorld
    let userId: String
    var epoch: String?
    var cursor: String?
    private var keys = 0
    private let name: String

    init(_ world: ServerWorld, as userId: String = "ann", named name: String = "a") {
        self.world = world
        self.userId = userId
        self.name = name
    }

    /// Sends one request and takes the new place from its answer.
    @discardableResult
    func sync(_ mutations: [SyncMutation] = [], limit: Int = 1_000) throws -> SyncResponse {
        let request = SyncRequest(epoch: epoch, cursor: cursor, limit: limit, mutations: mutations)
        let response = try world.sync(request, for: userId)
        (epoch, cursor) = (response.epoch, response.cursor)
        return response
    }

    /// The result of one mutation.
    @discardableResult
    func send(_ mutation: SyncMutation) throws -> SyncResult { try sync([mutation]).results[0] }

    func key() -> String {
        keys += 1
        return "\(name)-\(keys)"
    }

    func create(_ entity: some SyncEntity, base: Int64 = 0) throws -> SyncMutation {
        SyncMutation(
            key: key(), entityType: type(of: entity).entityType, operation: .create, entityId: entity.id, base: base,
            data: .object(try WireCoding.fields(of: entity)))
    }

    func update(_ type: EntityType, _ id: String, base: Int64, _ patch: JSONValue) -> SyncMutation {
        SyncMutation(key: key(), entityType: type, operation: .update, entityId: id, base: base, data: patch)
    }

    func delete(_ type: EntityType, _ id: String, base: Int64) -> SyncMutation {
        SyncMutation(key: key(), entityType: type, operation: .delete, entityId: id, base: base)
    }
}

extension ServerWorld {
    func sync(_ request: SyncRequest, for userId: String = "ann") throws -> SyncResponse {
        let prepared = try records.prepareSync(WireCoding.encode(request))
        return try WireCoding.decode(SyncResponse.self, from: records.sync(prepared, userId: userId))
    }
}

extension JSONValue {
    /// A member of an object; nil where there is none.
    subscript(_ name: String) -> JSONValue? { objectValue?[name] }
}
