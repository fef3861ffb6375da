import Synchronization
import TrendyDomain

/// A record that a run made, or asked for and got no answer.
struct MadeRecord: Sendable, Hashable {
    enum Kind: String, CaseIterable, Sendable {
        // In the order in which they are deleted: what others refer to goes last.
        case propertyDefinition = "/property-definitions"
        case geofence = "/geofences"
        case event = "/events"
        case eventType = "/event-types"
    }

    var kind: Kind
    var id: String
    var path: String { "\(kind.rawValue)/\(id)" }
}

/// The records of one account that a run has made and not deleted yet.
final class MadeRecords: Sendable {
    private let records = Mutex<Set<MadeRecord>>([])
    private let marker: String

    init(marker: String) { self.marker = marker }

    var all: Set<MadeRecord> { records.withLock { $0 } }

    func of(_ kind: MadeRecord.Kind) -> [MadeRecord] { all.filter { $0.kind == kind }.sorted { $0.id < $1.id } }

    func forget(_ record: MadeRecord) { records.withLock { _ = $0.remove(record) } }

    /// Notes what a request will make, before it is sent: its answer may be lost.
    func expect(_ request: WireRequest) {
        guard request.method == .post, let kind = Self.kind(ofPost: request.path), let body = request.body,
            let json = try? WireCoding.decode(JSONValue.self, from: body)
        else { return }
        note(kind, json["events"] == .null ? [json] : json["events"].elements)
    }

    /// Notes what an answer says was made, under another id than was asked for perhaps.
    ///
    /// An id is taken from an answer only with a record that carries the run's marker: what a server mixes up
    /// must not be deleted for it.
    func note(_ answer: Answer) {
        guard answer.request.method == .post, answer.isSuccess, let kind = Self.kind(ofPost: answer.request.path)
        else { return }
        let found = answer["created"] == .null ? [answer.json] : answer["created"].elements
        note(kind, found.filter { $0.text.contains(marker) })
    }

    private func note(_ kind: MadeRecord.Kind, _ found: [JSONValue]) {
        let made = found.compactMap { $0["id"].stringValue }.filter { UUIDv7($0) != nil }
        records.withLock { $0.formUnion(made.map { MadeRecord(kind: kind, id: $0.lowercased()) }) }
    }

    private static func kind(ofPost path: String) -> MadeRecord.Kind? {
        let parts = path.dropFirst(Scene.basePath.count).split(separator: "/")
        switch (parts.first, parts.count) {
        case ("events", _): return .event
        case ("geofences", 1): return .geofence
        case ("event-types", 1): return .eventType
        case ("event-types", 3): return .propertyDefinition
        default: return nil
        }
    }
}
