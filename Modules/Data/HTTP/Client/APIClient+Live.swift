import Foundation
import Synchronization
public import TrendyDomain

extension APIClient {
    /// Hears from the server where the account stands, until the stream ends.
    ///
    /// - Throws: `APIError`; `http` with status 404, before anything is sent, where the backend has no route for it.
    public func watchHeads(_ receive: @escaping @Sendable (LiveSignal) -> Void) async throws {
        guard let path = routes.livePath else { throw APIError.noLive }
        let outgoing = APIRequest(.get, path)
        let reading = LiveReading(receive)
        let response = try await authorized { [self] token in
            try await stream(outgoing, token: token) { part in try reading.take(part) }
        }
        if response.status != 200 { throw reader.refusal(response) }
    }
}

/// Reads heads from an answer that comes in pieces.
private final class LiveReading: Sendable {
    private let parser = Mutex(EventStreamParser())
    private let receive: @Sendable (LiveSignal) -> Void

    init(_ receive: @escaping @Sendable (LiveSignal) -> Void) { self.receive = receive }

    /// - Throws: `APIError` where it is no stream of events, or has a line without an end.
    func take(_ part: StreamedResponse) throws {
        switch part {
        case .head(let head):
            let media = (head.header("Content-Type") ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }
            guard media.lowercased() == "text/event-stream" else {
                throw APIError.notAServer("it answered with '\(media.prefix(100))', not with an event stream")
            }
            // A renewed token may have opened another stream.
            parser.withLock { $0 = EventStreamParser() }
            receive(.opened)
        case .body(let piece):
            let elements: [EventStreamParser.Element]
            do {
                elements = try parser.withLock { try $0.parse(piece) }
            } catch {
                throw APIError.malformedResponse("an event of the stream has no end")
            }
            for element in elements { receive(Self.signal(element)) }
        }
    }

    /// What this version does not know shows all the same that the server lives.
    private static func signal(_ element: EventStreamParser.Element) -> LiveSignal {
        guard case .event("head", let data) = element,
            let head = try? WireCoding.decode(ServerHead.self, from: Data(data.utf8))
        else { return .heartbeat }
        return .head(head)
    }
}
