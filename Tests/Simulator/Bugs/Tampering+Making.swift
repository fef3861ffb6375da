import Foundation
import Synchronization
import TrendyData
import TrendyDomain

extension Tampering {
    /// Wraps every unit of work.
    static func store(_ wrap: @escaping @Sendable (any DataStoreProtocol) -> any DataStoreProtocol) -> Tampering {
        Tampering(store: WrappedStores(wrap: wrap))
    }

    /// Changes answers.
    static func answers(
        _ change: @escaping @Sendable (TransportResponse, TransportRequest) -> TransportResponse
    ) -> Tampering {
        Tampering(transport: ChangedTransport { request, send in change(try await send(request), request) })
    }

    /// Changes how requests are sent.
    static func sending(_ send: @escaping ChangedTransport.Send) -> Tampering {
        Tampering(transport: ChangedTransport(send: send))
    }
}

private struct WrappedStores: StoreTampering {
    let wrap: @Sendable (any DataStoreProtocol) -> any DataStoreProtocol

    func tampered(_ store: any DataStoreProtocol) throws -> any DataStoreProtocol { wrap(store) }
}

struct ChangedTransport: TransportTampering {
    typealias Network = @Sendable (TransportRequest) async throws -> TransportResponse
    typealias Send = @Sendable (TransportRequest, Network) async throws -> TransportResponse

    let send: Send

    func send(_ request: TransportRequest, over network: Network) async throws -> TransportResponse {
        try await send(request, network)
    }
}

/// What a bug remembers while its process lives.
final class Memory<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func use<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}

extension TransportRequest {
    /// Whether it changes records.
    var isWrite: Bool {
        if url.path.contains("/auth/") || method == .get { return false }
        return !isExchange || !mutations.isEmpty
    }
    var isExchange: Bool { url.path.hasSuffix("/sync") }

    /// The mutations of an exchange.
    var mutations: [Fields] {
        guard case .array(let mutations)? = members?["mutations"] else { return [] }
        return mutations.compactMap(\.objectValue)
    }

    /// What an exchange says; nil where it says nothing.
    var members: Fields? { body.flatMap { try? JSONValue(parsing: $0).objectValue } }

    /// The request with other mutations.
    func changingMutations(_ change: (inout Fields) -> Void) -> TransportRequest {
        guard isExchange, var members, case .array(let mutations)? = members["mutations"] else { return self }
        members["mutations"] = .array(
            mutations.map { mutation in
                guard var fields = mutation.objectValue else { return mutation }
                change(&fields)
                return .object(fields)
            })
        var request = self
        request.body = (try? WireCoding.encode(members)) ?? body
        return request
    }
}

extension TransportResponse {
    /// The answer with other members in its body; the same where the body is no JSON object.
    func changing(_ change: (inout Fields) -> Void) -> TransportResponse {
        guard var fields = try? WireCoding.decode(Fields.self, from: body) else { return self }
        change(&fields)
        var changed = self
        changed.body = (try? WireCoding.encode(fields)) ?? body
        return changed
    }

    /// The answer to an exchange that says something else; the same where it is none.
    func changingExchange(_ change: (inout SyncResponse) -> Void) -> TransportResponse {
        guard status == 200, var answer = try? SyncResponse(parsing: body) else { return self }
        change(&answer)
        return (try? .json(200, WireCoding.encode(answer))) ?? self
    }
}

extension MutationQuery {
    /// Asks for the next operations to send.
    var asksForOutbox: Bool { states == [.queued, .sending] && afterId != nil && limit != nil }
    /// Asks for what is parked, to send nothing behind it.
    var asksForParked: Bool { states == [.parked] && operations == nil && entityId == nil }
}
