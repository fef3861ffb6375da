import Foundation
import Synchronization
import TrendyData
import TrendyDomain

/// The streams by which devices hear where the account stands. The world decides what is told, and when.
final class SimulatedStreams: Sendable {
    typealias Receive = @Sendable (StreamedResponse) throws -> Void

    private struct Stream {
        let number: Int
        let receive: Receive
        let end: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var isServed = false
        var next = 0
        var streams: [ProcessName: Stream] = [:]
    }

    private let state = Mutex(State())

    /// Whether the server can be reached, and tells anybody anything.
    func serve(_ isServed: Bool) { state.withLock { $0.isServed = isServed } }

    /// The number of the stream that a process has; nil where it has none.
    func number(of process: ProcessName) -> Int? { state.withLock { $0.streams[process]?.number } }

    /// What a device's client calls: hears until the world ends the stream.
    func open(for process: ProcessName, _ receive: @escaping Receive) async throws {
        guard state.withLock({ $0.isServed }) else { throw APIError.connection("connection refused") }
        try receive(.head(TransportResponse(status: 200, headers: ["Content-Type": "text/event-stream"])))
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let before = state.withLock { state in
                    state.streams.updateValue(
                        Stream(number: number, receive: receive, end: continuation), forKey: process)
                }
                before?.end.resume(throwing: APIError.connection("another stream took its place"))
                if Task.isCancelled { end(process, stream: number, .cancelled) }
            }
        } onCancel: {
            end(process, stream: number, .cancelled)
        }
    }

    /// Tells a process something, where it listens.
    func tell(_ process: ProcessName, _ text: String) {
        guard let stream = state.withLock({ $0.streams[process] }) else { return }
        do { try stream.receive(.body(Data(text.utf8))) } catch {
            end(process, stream: stream.number, error as? APIError)
        }
    }

    /// Ends the stream of a process.
    ///
    /// - Parameters:
    ///   - number: Which of its streams; nil for whichever it has.
    ///   - error: What the process is told; nil for an end in order.
    func end(_ process: ProcessName, stream number: Int? = nil, _ error: APIError?) {
        let stream = state.withLock { state -> Stream? in
            guard number == nil || state.streams[process]?.number == number else { return nil }
            return state.streams.removeValue(forKey: process)
        }
        if let error { stream?.end.resume(throwing: error) } else { stream?.end.resume() }
    }
}
