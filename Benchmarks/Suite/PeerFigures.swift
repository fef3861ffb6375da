import Foundation
import TrendyDomain

/// The server beside Kinto, in turn: writes of one record, and the last fifty changes of ten thousand.
///
/// `TRENDY_BENCH_KINTO` has the address of a Kinto with its default bucket and basic authentication, for example
/// `http://127.0.0.1:8888/v1`. `Scripts/kinto` starts one.
struct PeerFigures {
    let workplace: Workplace
    let kinto: URL

    private let connections = 16
    private let rounds = 3
    private let records = 10_000
    private let tail = 50

    private static let collection = "/buckets/default/collections/events/records"

    func run() throws -> [Figure] {
        let database = ProcessInfo.processInfo.environment["TRENDY_BENCH_DATABASE"]
        try workplace.startServer(database: database)
        guard let port = URL(string: workplace.address)?.port, let peerPort = kinto.port else {
            throw ChildFailure(description: "an address has no port: \(workplace.address), \(kinto)")
        }
        let (ours, peer) = (HTTPLoad(port: port), HTTPLoad(port: peerPort))
        let person = try Account(ours, "peer")
        // Kinto refuses some of the writes that come at once to one collection: there each connection has its own, made
        // beforehand.
        for number in 0..<connections {
            _ = try peer.run([[ofKinto("POST", Self.collection, note(), person: number)]]).checked()
        }
        let writes = try compare(
            (ours, 200, { _ in HTTPLoad.request("POST", "events", token: person.token, body: person.event()) }),
            (peer, 40, { ofKinto("POST", Self.collection, note(), person: $0) }))
        for _ in 0..<(records / 1_000) {
            let request = HTTPLoad.request("POST", "sync", token: person.token, body: person.creates(1_000))
            _ = try ours.run([[request]]).checked()
        }
        let head = try person.head(ours)
        let since = try fillKinto(peer)
        let tails = try compare(
            (
                ours, 200,
                { _ in HTTPLoad.request("GET", "changes?since=\(head - Int64(tail))&limit=100", token: person.token) }
            ),
            (peer, 40, { _ in ofKinto("GET", "\(Self.collection)?_since=\(since)&_limit=100") }))
        return [
            Figure(
                name: "POST of a record, beside Kinto", value: writes.ratio, unit: "times", target: .atLeast(8),
                detail: writes.detail),
            Figure(
                name: "the last \(tail) of \(records) changes, beside Kinto", value: tails.ratio, unit: "times",
                target: .atLeast(20), detail: tails.detail),
        ]
    }

    private typealias Side = (load: HTTPLoad, count: Int, request: (_ connection: Int) -> Data)

    /// The best round of each: what else runs on the machine disturbs some.
    private func compare(_ ours: Side, _ peer: Side) throws -> (ratio: Double, detail: String) {
        func rate(_ side: Side) throws -> Double {
            let lists = (0..<connections).map { number in (0..<side.count).map { _ in side.request(number) } }
            let result = try side.load.run(lists).checked()
            return Double(result.times.count) / result.seconds
        }
        var (best, bestOfPeer) = (0.0, 0.0)
        for _ in 0..<rounds {
            best = max(best, try rate(ours))
            bestOfPeer = max(bestOfPeer, try rate(peer))
        }
        return (best / bestOfPeer, String(format: "%.0f/s, %.0f/s", best, bestOfPeer))
    }

    // MARK: Kinto

    private func ofKinto(_ method: String, _ path: String, _ body: Data = Data(), person: Int = 0) -> Data {
        let authorization = "Basic " + Data("person\(person):bench".utf8).base64EncodedString()
        return HTTPLoad.request(method, to: kinto.path() + path, authorization: authorization, body: body)
    }

    private func note() -> Data {
        Data(#"{"data":{"timestamp":"2023-11-14T22:13:20Z","notes":"a note of ordinary length"}}"#.utf8)
    }

    /// Fills the collection, and answers the state that the last changes come after.
    private func fillKinto(_ peer: HTTPLoad) throws -> String {
        let connection = try HTTPConnection(port: peer.port)
        func send(_ request: Data) throws -> Data {
            let answer = try connection.send(request)
            guard (200..<300).contains(answer.status) else {
                throw ChildFailure(description: "Kinto refuses: \(String(decoding: answer.body, as: UTF8.self))")
            }
            return answer.body
        }
        struct Batch: Encodable {
            struct Request: Encodable {
                var method = "POST"
                var path: String
                var body: Body
            }
            struct Body: Encodable { var data = ["notes": "a note of ordinary length"] }
            var requests: [Request]
        }
        let one = Batch.Request(path: kinto.path() + Self.collection, body: Batch.Body())
        let batch = try JSONEncoder().encode(Batch(requests: Array(repeating: one, count: 25)))
        for _ in 0..<(records / 25) { _ = try send(ofKinto("POST", "/batch", batch)) }
        struct Made: Decodable {
            struct Record: Decodable {
                var lastModified: Int64
                enum CodingKeys: String, CodingKey { case lastModified = "last_modified" }
            }
            var data: Record
        }
        let last = try JSONDecoder().decode(
            Made.self, from: send(ofKinto("POST", Self.collection, note())))
        for _ in 0..<tail { _ = try send(ofKinto("POST", Self.collection, note())) }
        return "%22\(last.data.lastModified)%22"
    }
}
