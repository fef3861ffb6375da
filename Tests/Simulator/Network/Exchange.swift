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
    /// The changes that it carries.
    var sent: [SentChange] = []
    var stage = Stage.travelling
    var departedAt = Timestamp(milliseconds: .max)
    /// Nobody waits for the answer any more: it was cancelled, timed out, or its process has died.
    var isAbandoned = false

    var path: String { request.url.path }
    /// Whether it is an exchange by revisions.
    var isSync: Bool { path.hasSuffix("/sync") }
    var isSignIn: Bool { path.contains("/auth/") }
    var isWrite: Bool { isSync ? !sent.isEmpty : request.method != .get && !isSignIn }

    init(id: Int, sender: ProcessName, request: TransportRequest) {
        self.id = id
        self.sender = sender
        self.request = request
    }

    /// What it asks for, in one line: with its key, and with the records that it changes.
    var summary: String {
        let key = request.headers["Idempotency-Key"].map { " key \($0)" } ?? ""
        let changes = sent.map { change in
            let base = change.base.map { " from \($0)" } ?? ""
            let said = change.operation == .update ? " \(String(decoding: change.json, as: UTF8.self))" : ""
            return " \(change.operation) \(change.id)\(base)\(said)"
        }
        return "\(request) \(Trace.digest(request.body ?? Data()))\(key)\(changes.joined(separator: ","))"
    }

    /// The records that it names: those that it changes, and the one in its path.
    var records: Set<String> { idPattern(path).union(sent.map(\.id)) }
}

/// One process on one device.
struct ProcessName: Hashable, Sendable, CustomStringConvertible {
    var device: Int
    var process: Int

    var description: String { "\(device).\(process)" }
}
