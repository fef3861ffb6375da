import Foundation
import Synchronization
import TrendyData
import TrendyDomain

/// Holds every request and every answer until the world decides what becomes of it.
final class SimulatedNetwork: Sendable {
    private struct State {
        var nextId = 0
        var exchanges: [Exchange] = []
        var waiting: [Int: CheckedContinuation<TransportResponse, any Error>] = [:]
        var cancelledEarly: Set<Int> = []
        var departed: [Exchange] = []
    }

    let streams = SimulatedStreams()
    private let state = Mutex(State())

    /// Everything that is on its way, oldest first.
    var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    /// Those that have left since the last call.
    func takeDeparted() -> [Exchange] {
        state.withLock { state in
            defer { state.departed = [] }
            return state.departed
        }
    }

    /// What a device's client calls: suspends until the world has decided.
    func send(_ request: TransportRequest, from sender: ProcessName) async throws -> TransportResponse {
        let id = state.withLock { state in
            state.nextId += 1
            return state.nextId
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelledEarly.remove(id) != nil { return true }
                    let exchange = Exchange(id: id, sender: sender, request: request)
                    state.exchanges.append(exchange)
                    state.departed.append(exchange)
                    state.waiting[id] = continuation
                    return false
                }
                if isCancelled { continuation.resume(throwing: APIError.cancelled) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        let isWaiting = state.withLock { state in
            if state.waiting[id] != nil { return true }
            if !state.exchanges.contains(where: { $0.id == id }) { state.cancelledEarly.insert(id) }
            return false
        }
        if isWaiting { fail(id, APIError.cancelled, stays: true) }
    }

    /// Changes an exchange.
    func update(_ id: Int, _ change: (inout Exchange) -> Void) {
        state.withLock { state in
            guard let place = state.exchanges.firstIndex(where: { $0.id == id }) else { return }
            change(&state.exchanges[place])
        }
    }

    /// Takes an exchange off the network.
    func remove(_ id: Int) {
        state.withLock { state in state.exchanges.removeAll { $0.id == id } }
    }

    /// Brings the answer to whoever waits for it.
    func deliver(_ id: Int, _ response: TransportResponse) {
        take(id, stays: false)?.resume(returning: response)
    }

    /// Tells whoever waits that there will be no answer.
    ///
    /// - Parameter stays: Whether the request goes on travelling, and may still reach the server.
    func fail(_ id: Int, _ error: APIError, stays: Bool) {
        take(id, stays: stays)?.resume(throwing: error)
    }

    private func take(_ id: Int, stays: Bool) -> CheckedContinuation<TransportResponse, any Error>? {
        state.withLock { state in
            if stays, let place = state.exchanges.firstIndex(where: { $0.id == id }) {
                state.exchanges[place].isAbandoned = true
            } else {
                state.exchanges.removeAll { $0.id == id }
            }
            return state.waiting.removeValue(forKey: id)
        }
    }
}

/// The network as one process sees it.
struct SimulatedTransport: HTTPTransport {
    let network: SimulatedNetwork
    let sender: ProcessName
    /// Whether the process that sends is still there: a task of one that has ended sends nothing more.
    let isAlive: @Sendable () -> Bool
    let tampering: (any TransportTampering)?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard isAlive() else { throw APIError.connection("the process has ended") }
        guard let tampering else { return try await network.send(request, from: sender) }
        return try await tampering.send(request) { try await network.send($0, from: sender) }
    }

    func stream(
        _ request: TransportRequest, _ receive: @escaping @Sendable (StreamedResponse) throws -> Void
    ) async throws {
        guard isAlive() else { throw APIError.connection("the process has ended") }
        try await network.streams.open(for: sender) { [tampering] part in
            if case .body(let piece) = part { tampering?.hears(piece) }
            try receive(part)
        }
    }
}

/// What a planted bug does to requests and answers.
protocol TransportTampering: Sendable {
    /// Sends a request, or something else in its place, and answers what came back, or something else.
    func send(
        _ request: TransportRequest, over network: @Sendable (TransportRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse

    /// Learns of what came on a stream.
    func hears(_ piece: Data)
}

extension TransportTampering {
    func hears(_ piece: Data) {}
}
