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

        /// - Parameter name: What the protocol calls the kind.
        init?(_ name: String) {
            let kinds: [EntityType: Kind] = [
                .propertyDefinition: .propertyDefinition, .geofence: .geofence, .event: .event, .eventType: .eventType,
            ]
            guard let kind = kinds[EntityType(rawValue: name)] else { return nil }
            self = kind
        }
    }

    var kind: Kind
    var id: String
    var path: String { "\(kind.rawValue)/\(id)" }
}

/// The records of one account that a run has made: those that are there, and those that the server says it deleted.
final class MadeRecords: Sendable {
    private struct State {
        /// What is there, with the id of the event type that it belongs to.
        var left: [MadeRecord: String?] = [:]
        /// What the server says it deleted, by itself or with its type; nobody has looked yet.
        var deleted: Set<MadeRecord> = []
    }

    private let state = Mutex(State())
    private let marker: String

    init(marker: String) { self.marker = marker }

    /// What was made and not deleted.
    var left: [MadeRecord] { state.withLock { Array($0.left.keys) } }

    func isLeft(_ record: MadeRecord) -> Bool { state.withLock { $0.left.keys.contains(record) } }

    /// What was made and not deleted, of one kind.
    func left(_ kind: MadeRecord.Kind) -> [MadeRecord] { Self.list(left, kind) }

    /// What the server says it deleted, of one kind.
    func deleted(_ kind: MadeRecord.Kind) -> [MadeRecord] { Self.list(state.withLock { Array($0.deleted) }, kind) }

    private static func list(_ records: [MadeRecord], _ kind: MadeRecord.Kind) -> [MadeRecord] {
        records.filter { $0.kind == kind }.sorted { $0.id < $1.id }
    }

    /// Notes that the server says a record is deleted, and with a type what belongs to it.
    func noteDeletion(of record: MadeRecord) {
        state.withLock { state in
            var gone = state.left.keys.filter { $0 == record }
            if record.kind == .eventType { gone += state.left.filter { $0.value == record.id }.map(\.key) }
            for one in gone { state.left[one] = nil }
            state.deleted.formUnion(gone)
        }
    }

    /// Forgets a record that is certainly gone.
    func forget(_ record: MadeRecord) {
        state.withLock { state in
            state.left[record] = nil
            state.deleted.remove(record)
        }
    }

    /// Notes that a record is there, whatever the server said of its deletion.
    func noteThatItIsThere(_ record: MadeRecord) {
        state.withLock { state in
            state.deleted.remove(record)
            if state.left[record] == nil { state.left[record] = .some(nil) }
        }
    }

    // MARK: What requests make

    /// Notes what a request will make, before it is sent: its answer may be lost.
    func expect(_ request: WireRequest) {
        guard request.method == .post, let body = request.body,
            let json = try? WireCoding.decode(JSONValue.self, from: body)
        else { return }
        if request.path == Scene.basePath + "/sync" { return expect(json["mutations"].elements) }
        guard let kind = Self.kind(ofPost: request.path) else { return }
        note(kind, json["events"] == .null ? [json] : json["events"].elements)
    }

    private func expect(_ mutations: [JSONValue]) {
        for mutation in mutations where mutation["operation"] == "create" {
            guard let kind = MadeRecord.Kind(mutation["entity_type"].stringValue ?? "") else { continue }
            note(kind, [mutation["data"]])
        }
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
        state.withLock { state in
            for json in found {
                guard let id = json["id"].stringValue, UUIDv7(id) != nil else { continue }
                let record = MadeRecord(kind: kind, id: id.lowercased())
                state.deleted.remove(record)
                state.left[record] = .some(json["event_type_id"].stringValue?.lowercased())
            }
        }
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
