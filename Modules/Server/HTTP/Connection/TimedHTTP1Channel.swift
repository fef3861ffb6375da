import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import TrendyDomain

/// Hummingbird's HTTP/1.1, with a ``ConnectionHandler`` on each connection.
struct TimedHTTP1Channel: ServerChildChannel {
    /// A connection, and whether it is one too many.
    struct Value: ServerChildChannelValue {
        let http: HTTP1Channel.Value
        let verdict: ConnectionLimit.Verdict

        var channel: any Channel { http.channel }
    }

    /// Seconds that a connection which is one too many has for its request.
    private static let refusal = 5.0

    let http: HTTP1Channel
    /// What answers on connections that are too many.
    let refusing: HTTP1Channel
    /// What answers on connections that are too many of one address.
    let refusingAddress: HTTP1Channel
    let timeouts: ConnectionTimeouts
    let limit: ConnectionLimit
    let ids: any IdentifierGenerator
    /// Called when the server stops, at least once where a connection is open.
    let onStop: @Sendable () -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let verdict = limit.admit(channel)
        return http.setup(channel: channel, logger: logger).flatMapThrowing { [timeouts, ids, onStop] value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            var timeouts = timeouts
            if verdict != .served { timeouts.reading = min(timeouts.reading, Self.refusal) }
            let handler = ConnectionHandler(
                timeouts, ids: ids, answers: verdict == .served ? nil : 1, onStop: onStop)
            try pipeline.addHandler(handler, position: .after(decoder))
            return Value(http: value, verdict: verdict)
        }
    }

    func handle(value: Value, logger: Logger) async {
        switch value.verdict {
        case .served: await http.handle(value: value.http, logger: logger)
        case .refused: await refusing.handle(value: value.http, logger: logger)
        case .refusedAddress: await refusingAddress.handle(value: value.http, logger: logger)
        case .dropped: try? await value.http.executeThenClose { _, _ in }
        }
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 whose connections do not wait for ever, and are not too many.
    static func timed(
        _ timeouts: ConnectionTimeouts, limit: ConnectionLimit, ids: any IdentifierGenerator,
        onStop: @escaping @Sendable () -> Void
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            TimedHTTP1Channel(
                http: HTTP1Channel(responder: responder),
                refusing: refusing(
                    ServerProblem(
                        .unavailable, "the server has as many connections as it can hold; try again", retryAfter: 5),
                    ids),
                refusingAddress: refusing(
                    ServerProblem(
                        .rateLimit, "your address has as many connections as one may have; close some", retryAfter: 5),
                    ids),
                timeouts: timeouts, limit: limit, ids: ids, onStop: onStop)
        }
    }

    /// Answers every request with a problem.
    private static func refusing(_ problem: ServerProblem, _ ids: any IdentifierGenerator) -> HTTP1Channel {
        HTTP1Channel { request, writer, _ in
            let requestId = ids.makeId()
            var response = Response(problem, requestId: requestId)
            response.headers.set(HeaderName.requestId, requestId)
            let body = request.method == .head ? ResponseBody() : response.body
            try await writer.write(response: response.head, body: body)
        }
    }
}
