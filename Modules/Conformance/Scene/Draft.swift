import TrendyDomain

/// A record of one kind that a rule is about to make.
struct Draft: Sendable {
    /// What the feed calls the kind.
    let kind: String
    /// Where it is posted.
    let list: String
    /// Where it is read, changed and deleted.
    let item: String
    let body: JSONValue

    init(_ kind: String, _ list: String, _ items: String, _ body: JSONValue) {
        self.kind = kind
        self.list = list
        item = "\(items)/\(body["id"].stringValue ?? "")"
        self.body = body
    }

    var id: String { body["id"].stringValue ?? "" }

    /// The same with another id and another text, as another record of the kind.
    func other(_ probe: Probe) -> JSONValue {
        let id = probe.id()
        var fields = ConformanceRule.textChange(item, probe)
        fields["id"] = .string(id)
        if kind == "event" { fields["timestamp"] = .string(probe.scene.moment()) }
        if kind == "property_definition" { fields["key"] = .string("k-\(id.suffix(6))") }
        return body.merging(fields)
    }
}

extension ConformanceRule {
    /// One new record of each kind, beneath an event type that is there.
    static func drafts(_ probe: Probe) async throws -> [Draft] {
        let type = try await probe.makeType()
        return [
            Draft("event", "/events", "/events", probe.event(type)),
            Draft("event_type", "/event-types", "/event-types", probe.type(probe.id())),
            Draft(
                "property_definition", "/event-types/\(type)/properties", "/property-definitions",
                probe.property(probe.id(), of: type)),
            Draft("geofence", "/geofences", "/geofences", probe.geofence(probe.id())),
        ]
    }
}
