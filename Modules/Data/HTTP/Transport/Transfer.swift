#if canImport(Darwin)
    import Foundation
    import Synchronization
    import TrendyDomain

    /// One request under way: gathers its answer and hands it over exactly once.
    final class Transfer: Sendable {
        typealias Outcome = Result<TransportResponse, APIError>

        private struct State {
            var continuation: CheckedContinuation<Outcome, Never>?
            var outcome: Outcome?
            var response: HTTPURLResponse?
            var body = Data()
            /// True once URL loading has ended by itself.
            var isComplete = false
            var lastActivity: ContinuousClock.Instant
        }

        let task: URLSessionTask
        private let configuration: TransportConfiguration
        private let totalTimeout: Duration
        private let startedAt: ContinuousClock.Instant
        private let state: Mutex<State>

        init(task: URLSessionTask, configuration: TransportConfiguration, totalTimeout: Duration) {
            self.task = task
            self.totalTimeout = totalTimeout
            self.configuration = configuration
            startedAt = .now
            state = Mutex(State(lastActivity: startedAt))
        }

        /// Sends the request and waits for what becomes of it.
        func run() async -> Outcome {
            let outcome = await settle()
            // It happens here and not where the outcome is found, because that may be on the queue that `cancel`
            // waits for.
            if !state.withLock({ $0.isComplete }) { task.cancel() }
            return outcome
        }

        private func settle() async -> Outcome {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let outcome = state.withLock { state in
                        if state.outcome == nil { state.continuation = continuation }
                        return state.outcome
                    }
                    if let outcome { continuation.resume(returning: outcome) } else { task.resume() }
                }
            } onCancel: {
                abandon(.cancelled)
            }
        }

        /// Waits until the request times out, and then gives it up.
        func watchTime() async {
            while let left = timeLeft() {
                guard left > .zero else { return abandon(.timeout) }
                do {
                    try await Task.sleep(for: left, tolerance: .milliseconds(10))
                } catch {
                    return
                }
            }
        }

        /// How long the request has before it times out; nil once it has ended.
        private func timeLeft() -> Duration? {
            state.withLock { state in
                guard state.outcome == nil else { return nil }
                let end = min(startedAt + totalTimeout, state.lastActivity + configuration.idleTimeout)
                return ContinuousClock.now.duration(to: end)
            }
        }

        /// Gives the request up.
        func abandon(_ error: APIError) {
            finish(.failure(error))
        }

        /// Notes that something was sent.
        func noteActivity() {
            state.withLock { $0.lastActivity = .now }
        }

        /// Takes the head of the answer.
        func receive(_ response: URLResponse) {
            state.withLock { state in
                state.response = response as? HTTPURLResponse
                state.lastActivity = .now
            }
            if response.expectedContentLength > Int64(configuration.maximumResponseBytes) { abandon(tooLarge) }
        }

        /// Takes this head as the whole answer, whatever would follow.
        func conclude(with response: HTTPURLResponse) {
            finish(.success(TransportResponse(response, body: Data())))
        }

        /// Takes a piece of the body.
        func receive(_ data: Data) {
            let fits = state.withLock { state in
                state.lastActivity = .now
                guard state.outcome == nil else { return true }
                guard state.body.count + data.count <= configuration.maximumResponseBytes else {
                    state.body = Data()
                    return false
                }
                state.body.append(data)
                return true
            }
            if !fits { abandon(tooLarge) }
        }

        /// Takes the end of the transfer.
        func complete(_ error: (any Error)?) {
            state.withLock { $0.isComplete = true }
            if let error { return finish(.failure(APIError(transport: error))) }
            let (response, body) = state.withLock { ($0.response ?? task.response as? HTTPURLResponse, $0.body) }
            guard let response else { return finish(.failure(.connection("there was no answer"))) }
            finish(Self.whole(TransportResponse(response, body: body)))
        }

        private func finish(_ outcome: Outcome) {
            let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
                guard state.outcome == nil else { return nil }
                state.outcome = outcome
                state.body = Data()
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume(returning: outcome)
        }

        /// Makes sure that as much came as was announced: not every system's loader does.
        private static func whole(_ response: TransportResponse) -> Outcome {
            let isEncoded = response.header("Content-Encoding").map { $0 != "identity" } ?? false
            if !isEncoded, let length = response.header("Content-Length").flatMap(Int.init),
                response.body.count < length,
                response.status != 204, response.status != 304
            {
                return .failure(.connection("the answer broke off after \(response.body.count) of \(length) bytes"))
            }
            return .success(response)
        }

        private var tooLarge: APIError {
            .answerTooLarge(limit: configuration.maximumResponseBytes)
        }
    }

    extension TransportResponse {
        init(_ response: HTTPURLResponse, body: Data) {
            var headers: [String: String] = [:]
            for (name, value) in response.allHeaderFields {
                guard let name = name as? String, let value = value as? String else { continue }
                headers[name] = value
            }
            self.init(status: response.statusCode, headers: headers, body: body)
        }
    }

    extension APIError {
        /// What a failure of URL loading means.
        init(transport error: any Error) {
            guard let error = error as? URLError else {
                self = error is CancellationError ? .cancelled : .connection(error.localizedDescription)
                return
            }
            switch error.code {
            case .timedOut: self = .timeout
            case .cancelled: self = .cancelled
            case .cannotFindHost, .dnsLookupFailed: self = .notSent("the host is not known")
            case .cannotConnectToHost: self = .notSent("nothing answers at that address")
            case .networkConnectionLost: self = .connection("the connection broke")
            case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive:
                self = .notSent("this machine is offline")
            case .serverCertificateHasBadDate: self = .untrusted(.expired(nil))
            case .serverCertificateNotYetValid: self = .untrusted(.notYetValid(nil))
            case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: self = .untrusted(.unknownAuthority)
            case .clientCertificateRequired, .clientCertificateRejected:
                self = .notSent(TLSFailure.clientCertificate)
            case .secureConnectionFailed:
                self = .notSent("no secure connection could be made: \(error.localizedDescription)")
            case .badServerResponse, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData:
                self = .malformedResponse("what came is no HTTP")
            default: self = .connection(error.localizedDescription)
            }
        }
    }
#endif
