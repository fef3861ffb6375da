import Foundation
import TrendyData
import TrendyDomain
import TrendyServer

/// Something between devices and the server that lets only small requests and answers of the exchange through.
struct NarrowWay {
    var end: Timestamp
    /// The most mutations of a request.
    var mutations: Int
    /// The most changes of an answer.
    var changes: Int
    var refusal: TransportResponse

    /// What proxies answer to what is too large for them.
    static let refusals: [TransportResponse] =
        [413, 500, 502].map { status in
            TransportResponse(status: status, headers: ["Content-Type": "text/html"], body: page)
        } + [
            TransportResponse(status: 403, headers: ["Content-Type": "text/html"], body: page),
            TransportResponse(status: 403, headers: ["Content-Type": "text/plain"], body: Data("forbidden".utf8)),
        ]

    /// What they answer in the place of an answer that is too large for them.
    static let refusalOfAnswers = TransportResponse(status: 502, headers: ["Content-Type": "text/html"], body: page)

    private static let page = Data("<html><body>nginx</body></html>".utf8)
}

extension World {
    /// What answers in the server's place; nil where nothing is in the way.
    func refusalOnTheWay(_ exchange: Exchange) -> TransportResponse? {
        guard exchange.isSync else { return nil }
        // Who begins would use the older routes: devices of this world tell how far they are by the exchange's revisions.
        if exchangeIsMissingUntil != nil, exchange.request.members?["cursor"]?.stringValue != nil {
            return TransportResponse(
                status: 404, headers: ["Content-Type": "text/plain"], body: Data("404 page not found".utf8))
        }
        guard let narrowWay, exchange.sent.count > narrowWay.mutations else { return nil }
        return narrowWay.refusal
    }

    /// The same for an answer that has left the server.
    func refusalOnTheWay(_ exchange: Exchange, _ response: TransportResponse) -> TransportResponse? {
        guard exchange.isSync, let narrowWay, let answer = answer(response), answer.changes.count > narrowWay.changes
        else { return nil }
        return NarrowWay.refusalOfAnswers
    }
}
