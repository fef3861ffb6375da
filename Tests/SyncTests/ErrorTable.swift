import Foundation
import Testing
import TrendyDomain
import TrendyTestSupport

@testable import TrendySync

/// A request that a cycle sends, and a device on which it is the first one after the health check.
enum CycleRequest: String, CaseIterable, Sendable {
    case health, create, batch, update, delete, list, latestCursor, changes

    /// The calls that fail where this request does.
    var operations: [MockOperation] {
        switch self {
        case .health: [.checkHealth]
        case .create: [.create]
        // What a batch does not settle is asked for by itself, and fails alike.
        case .batch: [.createBatch, .create]
        case .update: [.update]
        case .delete: [.delete]
        case .list: [.list]
        case .latestCursor: [.getLatestCursor]
        case .changes: [.getChanges]
        }
    }

    /// The requests that carry a mutation.
    static let pushes: [CycleRequest] = [.create, .batch, .update, .delete]
    var isPush: Bool { Self.pushes.contains(self) }

    /// A device whose next cycle sends this request first.
    func device() async throws -> Device {
        let device = Device()
        switch self {
        case .latestCursor: break
        case .list:
            // A bootstrap that was cut off goes on with its listings.
            await device.network.enqueue(.fail(APIError.connection("reset")), for: .list)
            _ = await device.engine.performSync()
        case .health, .create, .changes:
            _ = await device.engine.performSync()
            if self != .changes { try await device.engine.create(device.coffee) }
        case .batch, .update, .delete:
            let event = try await device.logCoffee()
            _ = await device.engine.performSync()
            if self == .batch { for number in 1...2 { try await device.logCoffee(notes: "cup \(number)") } }
            if self == .update { try await device.edit(event.id) { $0.notes = "better" } }
            if self == .delete { try await device.engine.delete(Event.self, id: event.id) }
        }
        await device.network.reset()
        return device
    }
}

extension Device {
    func fail(_ request: CycleRequest, with error: APIError) async {
        for operation in request.operations { await network.always(.fail(error), for: operation) }
    }

    /// The mutations that were not settled before.
    func open() throws -> [PendingMutation] { try mutations([.queued, .sending, .parked]) }

    func breaker() throws -> CircuitBreaker {
        try store().value(CircuitBreaker.self, for: MetadataKey.breaker) ?? CircuitBreaker()
    }

    /// Makes the server have refused so many requests in a row before, without a `Retry-After`.
    func plantRefusals(_ count: Int) throws {
        var breaker = CircuitBreaker()
        for _ in 0..<count { breaker.refused(retryAfter: nil, at: wallClock.now()) }
        let store = try store()
        try store.setValue(breaker, for: MetadataKey.breaker)
        try store.save()
    }

    /// Another engine on the same store, as after a restart.
    func restarted() -> Device { Device(network, wallClock: wallClock, seed: 77, stores: stores) }
}

func refusal(_ status: Int, fields: [FieldError]? = nil) -> APIError {
    .http(status: status, problem: ProblemDetails(status: status, detail: "no", errors: fields))
}
