import Foundation
import TrendyData
import TrendyDomain

/// A request on its way, and the answer on its way back.
struct Exchange: Sendable {
    enum Stage: Equatable, Sendable {
        /// The request has left the device.
        case travelling
        /// The server holds it back: its transaction has begun, and got its place in the feed, but is not committed.
        case committing(since: Timestamp)
        /// The answer has left the server.
        case answered(TransportResponse)
    }

    let id: Int
    /// The device and process that sent it.
    let sender: ProcessName
    let request: TransportRequest
    /// The records that it creates.
    let made: [String]
    var stage = Stage.travelling
    var departedAt = Timestamp(milliseconds: .max)
    /// How many things people had done when it left; where it says the same under the same key as one before, when that
    /// one left.
    var actsBefore = 0
    /// Nobody waits for the answer any more: it was cancelled, timed out, or its process has died.
    var isAbandoned = false

    var path: String { request.url.path }

    init(id: Int, sender: ProcessName, request: TransportRequest) {
        self.id = id
        self.sender = sender
        self.request = request
        made = request.method == .post ? recordsSent(in: request.body ?? Data()) : []
    }

    /// What it asks for, in one line: for a write with its key, and with the records that it makes.
    var summary: String {
        let body = request.body ?? Data()
        let key = request.headers["Idempotency-Key"].map { " key \($0)" } ?? ""
        let makes = made.isEmpty ? "" : " makes \(made.joined(separator: " "))"
        return "\(request) \(Trace.digest(body))\(key)\(makes)"
    }

    /// What is the same whenever it is sent; nil where it has no key.
    var content: String? {
        request.headers["Idempotency-Key"].map { "\(sender.device) \($0) \(Trace.digest(request.body ?? Data()))" }
    }

    /// The records that it names: those that it makes, and the one in its path.
    var records: Set<String> { idPattern(path).union(made) }

    var isWrite: Bool { request.method != .get && !path.contains("/auth/") }
}

/// One process on one device.
struct ProcessName: Hashable, Sendable, CustomStringConvertible {
    var device: Int
    var process: Int

    var description: String { "\(device).\(process)" }
}
