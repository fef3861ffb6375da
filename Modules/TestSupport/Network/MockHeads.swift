import Synchronization
public import TrendyDomain

/// The streams by which a server in memory tells heads: a test says what is told, and how they end.
///
/// ```swift
/// network.heads.serve()
/// let following = Task { try await engine.follow() }
/// await network.heads.waitForStream()
/// network.heads.tell(.head(ServerHead(epoch: server.epoch, head: server.head)))
/// ```
public final class MockHeads: Sendable {
    private struct Stream {
        let receive: @Sendable (LiveSignal) -> Void
        let end: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var refusal: APIError? = .noLive
        var greeting: [LiveSignal] = []
        var next = 0
        var streams: [Int: Stream] = [:]
        var opened = 0
    }

    private let state = Mutex(State())

    init() {}

    /// How many streams were asked for.
    public var requestCount: Int { state.withLock { $0.opened } }

    /// Opens the streams that are asked for from now on, and tells them these signals first.
    public func serve(_ greeting: LiveSignal...) {
        state.withLock { ($0.refusal, $0.greeting) = (nil, greeting) }
    }

    /// Refuses the streams that are asked for from now on. From the beginning they are 404.
    public func refuse(_ error: APIError) { state.withLock { $0.refusal = error } }

    /// Tells a signal to those who have a stream.
    public func tell(_ signal: LiveSignal) {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.receive(signal) }
    }

    /// Ends all streams, in order where there is no error.
    public func end(_ error: APIError? = nil) {
        for number in state.withLock({ Array($0.streams.keys) }) { end(number, error) }
    }

    /// Waits until somebody has a stream.
    public func waitForStream() async {
        while state.withLock({ $0.streams.isEmpty }) { await Task.yield() }
    }

    func watch(_ receive: @escaping @Sendable (LiveSignal) -> Void) async throws {
        let (number, refusal, greeting) = state.withLock { state in
            state.opened += 1
            state.next += 1
            return (state.next, state.refusal, state.greeting)
        }
        if let refusal { throw refusal }
        receive(.opened)
        for signal in greeting { receive(signal) }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.streams[number] = Stream(receive: receive, end: continuation) }
                if Task.isCancelled { end(number, .cancelled) }
            }
        } onCancel: {
            end(number, .cancelled)
        }
    }

    private func end(_ number: Int, _ error: APIError?) {
        guard let stream = state.withLock({ $0.streams.removeValue(forKey: number) }) else { return }
        if let error { stream.end.resume(throwing: error) } else { stream.end.resume() }
    }
}
