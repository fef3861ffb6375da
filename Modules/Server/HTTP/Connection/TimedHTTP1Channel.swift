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
        let isRefused: Bool

        var channel: any Channel { http.channel }
    }

    /// Seconds that a connection which is one too many has for its request.
    private static let refusal = 5.0

    let http: HTTP1Channel
    /// What answers on connections that are too many.
    let refusing: HTTP1Channel
    let timeouts: ConnectionTimeouts
    let limit: ConnectionLimit
    /// Called when the server stops, at least once where a connection is open.
    let onStop: @Sendable () -> Void

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let isRefused = !limit.admit(channel)
        return http.setup(channel: channel, logger: logger).flatMapThrowing { [timeouts, onStop] value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            var timeouts = timeouts
            if isRefused { timeouts.reading = min(timeouts.reading, Self.refusal) }
            let handler = ConnectionHandler(timeouts, answers: isRefused ? 1 : nil, onStop: onStop)
            try pipeline.addHandler(handler, position: .after(decoder))
            return Value(http: value, isRefused: isRefused)
        }
    }

    func handle(value: Value, logger: Logger) async {
        await (value.isRefused ? refusing : http).handle(value: value.http, logger: logger)
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
                refusing: HTTP1Channel { request, writer, _ in
                    let response = Self.refusal(ids.makeId())
                    let body = request.method == .head ? ResponseBody() : response.body
                    try await writer.write(response: response.head, body: body)
                },
                timeouts: timeouts, limit: limit, onStop: onStop)
        }
    }

    private static func refusal(_ requestId: String) -> Response {
        let problem = ServerProblem(
            .unavailable, "the server has as many connections as it can hold; try again", retryAfter: 5)
        var response = Response(problem, requestId: requestId)
        response.headers.set(HeaderName.requestId, requestId)
        return response
    }
}
