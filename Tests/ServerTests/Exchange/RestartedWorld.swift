import GRDB
import Synchronization
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

/// A server that a test starts anew, on its data or on a copy of that.
final class RestartedWorld: Sendable {
    private let world: Mutex<ServerWorld>

    init(_ world: ServerWorld) { self.world = Mutex(world) }

    var current: ServerWorld { world.withLock { $0 } }

    func restart(on store: (any ServerStore)? = nil) throws {
        let former = current
        let next = try ServerWorld(store: store ?? former.store, clock: former.clock)
        world.withLock { $0 = next }
    }

    /// What ``ExchangeContract`` asks of the server.
    ///
    /// - Parameters:
    ///   - prune: Drops all tombstones.
    ///   - copy: Copies the data, and answers how a store on that copy is opened.
    func subject(
        prune: @escaping @Sendable (ServerWorld) throws -> Void,
        copy: @escaping @Sendable (ServerWorld) throws -> @Sendable () throws -> any ServerStore
    ) -> ExchangeContract.Subject {
        ExchangeContract.Subject(
            exchange: { request in
                do {
                    return try self.current.sync(request)
                } catch let problem as ServerProblem {
                    throw APIError.http(
                        status: problem.kind.status,
                        problem: ProblemDetails(
                            type: "urn:trendy:error:\(problem.kind.urnName)", detail: problem.detail))
                }
            },
            forgetKeys: { self.current.pass(seconds: 91 * 86_400) },
            pruneTombstones: { try prune(self.current) },
            restart: { try self.restart() },
            copyData: {
                let open = try copy(self.current)
                return { try self.restart(on: open()) }
            })
    }
}

extension SQLiteServerStore {
    /// Another store in memory, with all that is in this one.
    func copied() throws -> SQLiteServerStore {
        let other = try SQLiteServerStore()
        try database.backup(to: other.database)
        return other
    }
}
