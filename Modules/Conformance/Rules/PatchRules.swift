import TrendyDomain

extension ConformanceRule {
    /// What a PUT does with what is absent, null and set.
    static let patchRules: [ConformanceRule] = [
        ConformanceRule(.patch, "absent-stays", "A field that a PUT does not name stays as it is.", .patch) { probe in
            try await eachKind(probe) { path, before in
                let change = firstChange(path, probe)
                try await probe.ann.put(path, change).demand(200)
                let after = try await probe.ann.get(path).demand(200)
                for (field, value) in before.objectValue ?? [:] where field != "updated_at" && change[field] == .null {
                    try after.demand(field, is: value)
                }
            }
        },
        ConformanceRule(.patch, "value-sets", "A field that a PUT names gets the value.", .patch) { probe in
            try await eachKind(probe) { path, _ in
                let change = firstChange(path, probe)
                let answer = try await probe.ann.put(path, change).demand(200)
                let after = try await probe.ann.get(path).demand(200)
                for (field, value) in change.objectValue ?? [:] {
                    try answer.demand(field, is: value)
                    try after.demand(field, is: value)
                }
            }
        },
        ConformanceRule(.patch, "null-clears", "A field that a PUT sets to null is cleared.", .patch) { probe in
            try await eachKind(probe) { path, before in
                for (prefix, fields) in clearable where path.hasPrefix(prefix) {
                    let change = Dictionary(uniqueKeysWithValues: fields.map { ($0, JSONValue.null) })
                    try await probe.ann.put(path, .object(change)).demand(200)
                    let after = try await probe.ann.get(path).demand(200)
                    for field in fields {
                        try after.demand(before[field] != .null, "the record had no \(field) to begin with")
                        try after.demand(field, is: nil)
                    }
                }
            }
        },
        ConformanceRule(
            .patch, "null-of-required", "Null for a field that cannot be empty is refused, and changes nothing.",
            .openAPI
        ) { probe in
            let type = try await probe.makeType()
            let answer = try await probe.ann.put("/event-types/\(type)", ["name": nil, "icon": "moon"])
            try probe.demandProblem(answer, 400, "validation")
            let read = try await probe.ann.get("/event-types/\(type)").demand(200)
            try read.demand("icon", is: "star")
            try read.demand(read["name"].stringValue != nil, "the name is gone")
        },
        ConformanceRule(
            .patch, "empty-changes-nothing", "A PUT without fields changes nothing.", .patch
        ) { probe in
            try await eachKind(probe) { path, before in
                try await probe.ann.put(path, [:]).demand(200)
                let after = try await probe.ann.get(path).demand(200)
                for (field, value) in before.objectValue ?? [:] where field != "updated_at" {
                    try after.demand(field, is: value)
                }
            }
        },
    ]

    private static let clearable: [(String, [String])] = [
        ("/events", ["notes", "end_date", "external_id", "original_title", "location_name"]),
        ("/property-definitions", ["default_value"]),
        ("/geofences", ["event_type_entry_id", "ios_region_identifier"]),
    ]

    /// Sets the text that each kind has, to something else at each call.
    static func textChange(_ path: String, _ probe: Probe) -> [String: JSONValue] {
        let text = JSONValue.string(probe.name("changed \(probe.id().suffix(6))"))
        if path.hasPrefix("/events") { return ["notes": text] }
        return path.hasPrefix("/property-definitions") ? ["label": text] : ["name": text]
    }

    private static func firstChange(_ path: String, _ probe: Probe) -> JSONValue {
        if path.hasPrefix("/events") {
            return ["notes": .string(probe.name("new")), "is_all_day": true, "location_latitude": 1.5]
        }
        if path.hasPrefix("/event-types") { return ["color": "#ABCDEF"] }
        return path.hasPrefix("/geofences") ? ["radius": 777.5, "notify_on_exit": true] : ["label": "other"]
    }

    /// Does something with a full record of each kind.
    static func eachKind(
        _ probe: Probe, _ body: (_ path: String, _ before: JSONValue) async throws -> Void
    ) async throws {
        let (type, property, place) = (try await probe.makeType(), probe.id(), probe.id())
        let event = try await probe.ann.post("/events/batch", ["events": [probe.event(type, fullEvent)]]).demand(201)
        try await probe.ann.post(
            "/event-types/\(type)/properties", probe.property(property, of: type).merging(["default_value": "d"])
        ).demand(201)
        let region: [String: JSONValue] = ["event_type_entry_id": .string(type), "ios_region_identifier": "r"]
        try await probe.ann.post("/geofences", probe.geofence(place).merging(region)).demand(201)
        let eventId = event["created"].elements.first?["id"].stringValue ?? ""
        for path in [
            "/events/\(eventId)", "/event-types/\(type)", "/property-definitions/\(property)", "/geofences/\(place)",
        ] {
            try await body(path, probe.ann.get(path).demand(200).json)
        }
    }

    private static let fullEvent: [String: JSONValue] = [
        "end_date": "2099-01-02T03:04:05.678Z", "external_id": "e", "original_title": "t", "location_latitude": 10,
        "location_longitude": 20, "location_name": "here", "properties": ["km": ["type": "number", "value": 1]],
    ]
}
