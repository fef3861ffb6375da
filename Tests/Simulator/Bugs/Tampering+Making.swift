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
    var isWrite: Bool { method != .get && !url.path.contains("/auth/") }
    var isFeedPage: Bool { url.path.hasSuffix("/changes") }

    /// Whether it lists records.
    var isListing: Bool {
        method == .get && url.path.contains("/api/v1/") && !url.path.contains("/changes")
            && idPattern(url.lastPathComponent).isEmpty
    }
}

extension TransportResponse {
    /// The answer with other members in its body; the same where the body is no JSON object.
    func changing(_ change: (inout [String: JSONValue]) -> Void) -> TransportResponse {
        guard var fields = try? WireCoding.decode([String: JSONValue].self, from: body) else { return self }
        change(&fields)
        var changed = self
        changed.body = (try? WireCoding.encode(fields)) ?? body
        return changed
    }
}
