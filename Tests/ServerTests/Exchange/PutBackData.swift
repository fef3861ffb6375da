import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendyServer

/// Puts data back beneath a server that stays up, and has it write on beyond what is lost. A device that knows what is
/// lost is told of another history, and one that does not goes on.
///
/// - Parameter copy: Copies the data, and answers what puts it back.
func checkPutBack(_ world: ServerWorld, copy: () async throws -> () async throws -> Void) async throws {
    let (a, b) = (ExchangePeer(world, named: "a"), ExchangePeer(world, named: "b"))
    try await a.catchUp()
    try await b.catchUp()
    let putBack = try await copy()
    try await a.sync((10..<13).map { try a.create(Event.sample($0)) })
    try await putBack()
    try await b.sync((20..<30).map { try b.create(Event.sample($0)) })
    let refusal = await #expect(throws: ServerProblem.self) { try await a.sync() }
    #expect(refusal?.kind == .epochChanged)
    #expect(try await b.sync().changes.isEmpty)
}
