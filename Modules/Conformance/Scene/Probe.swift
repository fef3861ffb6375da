import TrendyDomain

/// What a rule works with.
struct Probe: Sendable {
    let scene: Scene
    /// The user in whose account the rule works.
    let ann: SignedInUser
    let other: OtherAccount

    /// Another user.
    ///
    /// - Throws: ``RuleNotChecked`` where the run has one account only.
    func ben() async throws -> SignedInUser { try await other.open(in: scene) }

    /// Those of the two that are there.
    var accounts: [SignedInUser] { [ann, other.account].compactMap(\.self) }

    /// Notes that the server differs in a known way.
    func deviates(_ deviation: KnownDeviation, _ reason: String, _ answers: Answer...) {
        scene.notes.add(deviation, reason, answers)
    }

    func id() -> String { scene.makeId() }
    func name(_ what: String) -> String { scene.name(what) }

    // MARK: Records

    /// Makes an event type, with a name of its own.
    func makeType(for account: SignedInUser? = nil) async throws -> String {
        let id = id()
        try await (account ?? ann).post("/event-types", type(id)).demand(201)
        return id
    }

    /// Makes an event of a type.
    @discardableResult
    func makeEvent(_ type: String, _ more: [String: JSONValue] = [:]) async throws -> String {
        let event = event(type, more)
        try await ann.post("/events", event).demand(201)
        return event["id"].stringValue ?? ""
    }

    /// Makes many events of a type, and gives their ids.
    func makeEvents(_ count: Int, _ type: String) async throws -> [String] {
        var ids: [String] = []
        while ids.count < count {
            let events = (0..<min(400, count - ids.count)).map { _ in event(type) }
            try await ann.post("/events/batch", ["events": .array(events)]).demand(201)
            ids += events.compactMap { $0["id"].stringValue }
        }
        return ids
    }

    func type(_ id: String, name: String = "type") -> JSONValue {
        ["id": .string(id), "name": .string(self.name("\(name) \(id.suffix(6))")), "color": "#20C040", "icon": "star"]
    }

    /// An event that none other of the run collides with.
    func event(_ type: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        let fields: [String: JSONValue] = [
            "id": .string(id()), "event_type_id": .string(type), "timestamp": .string(scene.moment()),
            "notes": .string(name("event")), "is_all_day": false, "source_type": "manual", "properties": [:],
        ]
        return .object(fields.merging(more) { $1 })
    }

    func geofence(_ id: String) -> JSONValue {
        [
            "id": .string(id), "name": .string(name("place \(id.suffix(6))")), "latitude": 52.5, "longitude": 13.25,
            "radius": 150, "is_active": true, "notify_on_entry": true, "notify_on_exit": false,
        ]
    }

    func property(_ id: String, of type: String) -> JSONValue {
        [
            "id": .string(id), "event_type_id": .string(type), "key": .string("k-\(id.suffix(6))"),
            "label": .string(name("property")), "property_type": "text", "display_order": 1,
        ]
    }

    // MARK: Refusals

    /// Demands a refusal with a status and a body that says why.
    ///
    /// - Parameter kind: The last part of the problem's type; nil where any will do.
    /// - Returns: Whether the body is a problem document; a plain error is a deviation.
    @discardableResult
    func demandProblem(_ answer: Answer, _ status: Int, _ kind: String? = nil) throws -> Bool {
        try answer.demand(status)
        if answer.isPlainError {
            deviates(.plainErrors, "\(answer.name) is answered \(status) with a plain error", answer)
            return false
        }
        let type = answer.header("Content-Type") ?? "no content type"
        try answer.demand(type.hasPrefix("application/problem+json"), "the refusal is \(type)")
        try answer.demandJSON()
        try answer.demand("status", is: .integer(Int64(status)))
        for member in ["type", "title", "detail", "request_id", "user_message"] {
            try answer.demand(answer[member].stringValue?.isEmpty == false, "the problem has no \(member)")
        }
        let urn = answer["type"].stringValue ?? ""
        try answer.demand(urn.hasPrefix("urn:trendy:error:"), "the problem's type is \(urn)")
        if let kind {
            try answer.demand(urn == "urn:trendy:error:\(kind)", "the problem's type is \(urn), not \(kind)")
        }
        return true
    }
}
