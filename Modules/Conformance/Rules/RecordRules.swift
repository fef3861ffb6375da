import TrendyDomain

extension ConformanceRule {
    /// What records hold, and what a POST does to those that exist.
    static let recordRules: [ConformanceRule] = [
        ConformanceRule(
            .records, "server-fields", "Every record has user_id, created_at and updated_at.", .records
        ) { probe in try await checkServerFields(probe) },
        ConformanceRule(
            .records, "updated-at",
            "updated_at never goes back, and a change that is made later has a later one; created_at stays.", .records
        ) { probe in try await checkUpdatedAt(probe) },
        ConformanceRule(
            .records, "event-fields", "An event keeps every field of a single POST.", .records
        ) { probe in try await checkEventFields(probe) },
        ConformanceRule(
            .records, "batch-fields", "An event of a batch keeps every field.", .records
        ) { probe in
            let (type, place) = try await makePlaces(probe)
            let event = fullEvent(probe, type, place)
            let answer = try await probe.ann.post("/events/batch", ["events": [event]]).demand(201)
            try demandFields(answer, of: event, in: answer["created"].elements.first ?? .null)
            let read = try await probe.ann.get("/events/\(event["id"].stringValue ?? "")").demand(200)
            try demandFields(read, of: event, in: read.json)
        },
        ConformanceRule(
            .records, "other-fields", "Event types, property definitions and geofences keep every field.", .records
        ) { probe in try await checkOtherFields(probe) },
        ConformanceRule(
            .records, "unknown-fields", "Unknown fields are ignored.", .records
        ) { probe in
            let type = try await probe.makeType()
            let event = probe.event(type, ["no_such_field": ["deep": [1, 2]]])
            try await probe.ann.post("/events", event).demand(201)
            let path = "/events/\(event["id"].stringValue ?? "")"
            try await probe.ann.put(path, ["no_such_field": nil, "notes": .string(probe.name("b"))]).demand(200)
        },
        ConformanceRule(
            .records, "post-replaces", "POST of an event whose id exists answers 200, and the body replaces it.",
            .routes
        ) { probe in
            let type = try await probe.makeType()
            let first = probe.event(type, ["original_title": .string(probe.name("one"))])
            try await probe.ann.post("/events", first).demand(201)
            let second = probe.event(type, ["id": first["id"], "notes": .string(probe.name("two"))])
            try await probe.ann.post("/events", second).demand(200)
            let read = try await probe.ann.get("/events/\(first["id"].stringValue ?? "")").demand(200)
            try read.demand("notes", is: second["notes"])
            try read.demand("original_title", is: nil)
        },
        ConformanceRule(
            .records, "type-posted-again",
            "POST of an event type whose id exists answers 200, one whose name exists 409.",
            .routes
        ) { probe in try await checkTypesAgain(probe) },
        ConformanceRule(
            .records, "same-moment", "Two events of one type may have the same timestamp.", .routes
        ) { probe in
            let type = try await probe.makeType()
            let first = probe.event(type)
            try await probe.ann.post("/events", first).demand(201)
            let second = try await probe.ann.post("/events", probe.event(type, ["timestamp": first["timestamp"]]))
            if second.status == 409 {
                return probe.deviates(.timestampsCollide, "a second event at one moment is answered 409", second)
            }
            try second.demand(201)
            try await probe.ann.get("/events/\(first["id"].stringValue ?? "")").demand(200)
        },
        ConformanceRule(
            .records, "gone", "PUT and DELETE of a record that is gone answer 404.", .routes
        ) { probe in try await checkGone(probe) },
        ConformanceRule(
            .records, "healthkit", "An event of a HealthKit sample that exists takes the place of the stored one.",
            .healthKit
        ) { probe in try await checkHealthKit(probe) },
    ]

    private static func checkServerFields(_ probe: Probe) async throws {
        let (type, place) = try await makePlaces(probe)
        let property = probe.property(probe.id(), of: type)
        let event = probe.event(type)
        for answer in [
            try await probe.ann.post("/events", event).demand(201),
            try await probe.ann.post("/event-types/\(type)/properties", property).demand(201),
            try await probe.ann.get("/event-types/\(type)").demand(200),
            try await probe.ann.get("/geofences/\(place)").demand(200),
        ] {
            let user = try answer.string("user_id")
            try answer.demand(user == probe.ann.userId, "user_id is \(user), not \(probe.ann.userId)")
            for field in ["created_at", "updated_at"] { try demandTime(probe, answer, answer[field], field) }
        }
        let changed = try await probe.ann.get("/events/\(event["id"].stringValue ?? "")").demand(200)
        try demandTime(probe, changed, changed["timestamp"], "timestamp")
    }

    private static func checkUpdatedAt(_ probe: Probe) async throws {
        var made: [(path: String, first: Answer)] = []
        try await eachKind(probe) { path, _ in made.append((path, try await probe.ann.get(path).demand(200))) }
        // A server may write whole seconds: only then can its clock tell the changes apart.
        try await probe.scene.wait(seconds: 1.1)
        for (path, first) in made {
            try await probe.ann.put(path, .object(textChange(path, probe))).demand(200)
            let second = try await probe.ann.get(path).demand(200)
            let (before, after) = (try time(first, "updated_at"), try time(second, "updated_at"))
            guard after > before else {
                throw RuleBroken("updated_at is \(after) after a change, and was \(before) before it", first, second)
            }
            // This one may come within the same moment.
            try await probe.ann.put(path, .object(textChange(path, probe))).demand(200)
            let third = try await probe.ann.get(path).demand(200)
            guard try time(third, "updated_at") >= after else {
                throw RuleBroken("updated_at goes back with a change", second, third)
            }
            try third.demand("created_at", is: first["created_at"])
        }
    }

    private static func time(_ answer: Answer, _ field: String) throws -> Timestamp {
        guard let time = answer[field].stringValue.flatMap({ Timestamp($0) }) else {
            throw RuleBroken("\(field) is \(answer[field].text), no time", answer)
        }
        return time
    }

    /// A time as RFC 3339 writes it; other forms than milliseconds and Z are known.
    private static func demandTime(_ probe: Probe, _ answer: Answer, _ value: JSONValue, _ field: String) throws {
        guard let text = value.stringValue, let time = Timestamp(text) else {
            throw RuleBroken("\(field) is \(value.text), not a time as RFC 3339 writes it", answer)
        }
        if text != time.description {
            probe.deviates(.timesInOtherForms, "\(field) is \(text), not \(time)", answer)
        }
    }

    static func makePlaces(_ probe: Probe) async throws -> (type: String, place: String) {
        let place = probe.id()
        try await probe.ann.post("/geofences", probe.geofence(place)).demand(201)
        return (try await probe.makeType(), place)
    }

    private static let placeFields = ["geofence_id", "location_latitude", "location_longitude", "location_name"]

    /// Something other than the default in every field.
    private static func eventFields(_ place: String) -> [String: JSONValue] {
        [
            "is_all_day": true, "end_date": "2099-01-02T03:04:05.678Z", "source_type": "imported",
            "external_id": "external 7", "original_title": "Ünïcode \u{1F3C3} \"title\"", "geofence_id": .string(place),
            "location_latitude": -33.8688, "location_longitude": 151.2093, "location_name": "Sydney",
            "properties": [
                "km": ["type": "number", "value": 7.25], "ok": ["type": "boolean", "value": true],
                "how": ["type": "text", "value": "well"],
            ],
        ]
    }

    private static func demandFields(_ answer: Answer, of sent: JSONValue, in found: JSONValue) throws {
        for (field, value) in (sent.objectValue ?? [:]).sorted(by: { $0.key < $1.key })
        where !found[field].isSame(as: value) {
            throw RuleBroken("\(field) is \(found[field].text), not \(value.text)", answer)
        }
    }

    private static func checkEventFields(_ probe: Probe) async throws {
        let (type, place) = try await makePlaces(probe)
        let event = fullEvent(probe, type, place)
        let item = "/events/\(event["id"].stringValue ?? "")"
        try await probe.ann.post("/events", event).demand(201)
        var read = try await probe.ann.get(item).demand(200)
        let hasOthers = ["id", "notes", "external_id"].allSatisfy { read[$0].isSame(as: event[$0]) }
        if hasOthers, placeFields.allSatisfy({ read[$0] == .null }) {
            probe.deviates(.postDropsPlace, "the single POST has dropped \(placeFields.joined(separator: ", "))", read)
            let fields = (event.objectValue ?? [:]).filter { placeFields.contains($0.key) }
            try await probe.ann.put(item, .object(fields)).demand(200)
            read = try await probe.ann.get(item).demand(200)
        }
        try demandFields(read, of: event, in: read.json)
        let change: JSONValue = ["notes": .string("\n\(probe.name(oddText))\t"), "original_title": .string(oddText)]
        try await probe.ann.put(item, change).demand(200)
        read = try await probe.ann.get(item).demand(200)
        try demandFields(read, of: change, in: read.json)
    }

    private static func fullEvent(_ probe: Probe, _ type: String, _ place: String) -> JSONValue {
        probe.event(type, eventFields(place)).merging(["notes": .string(" \(probe.name(oddText))\n")])
    }

    /// What people write: other scripts, characters of several parts, quotes, lines.
    private static let oddText =
        "d\u{E9}j\u{E0} vu \u{1F9D1}\u{200D}\u{1F680} \u{65E5}\u{672C}\u{8A9E}\n\"two\" \\ lines"

    private static func checkOtherFields(_ probe: Probe) async throws {
        let type = probe.type(probe.id())
        try await probe.ann.post("/event-types", type).demand(201)
        let typeId = type["id"].stringValue ?? ""
        let property = probe.property(probe.id(), of: typeId).merging([
            "property_type": "select", "options": ["a", "b c"], "default_value": "a", "display_order": 3,
        ])
        try await probe.ann.post("/event-types/\(typeId)/properties", property).demand(201)
        let place = probe.geofence(probe.id()).merging([
            "event_type_entry_id": .string(typeId), "event_type_exit_id": .string(typeId), "is_active": false,
            "notify_on_exit": true, "ios_region_identifier": "region 1",
        ])
        try await probe.ann.post("/geofences", place).demand(201)
        for (path, sent) in [("event-types", type), ("property-definitions", property), ("geofences", place)] {
            let read = try await probe.ann.get("/\(path)/\(sent["id"].stringValue ?? "")").demand(200)
            try demandFields(read, of: sent, in: read.json)
        }
    }

    private static func checkTypesAgain(_ probe: Probe) async throws {
        let type = probe.type(probe.id())
        let item = "/event-types/\(type["id"].stringValue ?? "")"
        try await probe.ann.post("/event-types", type).demand(201)
        let again = try await probe.ann.post("/event-types", type.merging(["icon": "moon"]))
        if isDuplicateKey(again) {
            probe.deviates(.typesArePlainInserts, "a type with an id that exists is answered 500", again)
        } else {
            try again.demand(200)
            try await probe.ann.get(item).demand(200).demand("icon", is: "moon")
        }
        let twin = try await probe.ann.post("/event-types", type.merging(["id": .string(probe.id())]))
        if isDuplicateKey(twin) {
            return probe.deviates(.typesArePlainInserts, "a type with a name that exists is answered 500", twin)
        }
        try probe.demandProblem(twin, 409, "conflict")
    }

    static func isDuplicateKey(_ answer: Answer) -> Bool {
        answer.status == 500 && answer.json.text.lowercased().contains("duplicate")
    }

    private static func checkGone(_ probe: Probe) async throws {
        let (type, place) = try await makePlaces(probe)
        let event = try await probe.makeEvent(type)
        let changes: [(String, JSONValue)] = [
            ("/events/\(event)", ["notes": "x"]), ("/geofences/\(place)", ["radius": 99]),
            ("/event-types/\(type)", ["icon": "x"]),
        ]
        for (path, change) in changes {
            try await probe.ann.delete(path).demand(204)
            for answer in [try await probe.ann.put(path, change), try await probe.ann.delete(path)] {
                if answer.status == 500 {
                    probe.deviates(.goneIsServerError, "\(answer.name) of what is gone is answered 500", answer)
                } else {
                    try probe.demandProblem(answer, 404, "not_found")
                }
                try await probe.ann.get(path).demand(404)
            }
        }
    }

    private static func checkHealthKit(_ probe: Probe) async throws {
        let type = try await probe.makeType()
        let sample: [String: JSONValue] = [
            "source_type": "healthkit", "healthkit_sample_id": .string(probe.name("sample")),
            "healthkit_category": "workout",
        ]
        let first = probe.event(type, sample)
        let kept = try await probe.ann.post("/events", first).demand(201).string("id")
        let second = probe.event(type, sample.merging(["notes": .string(probe.name("later"))]) { $1 })
        let answer = try await probe.ann.post("/events", second).demand(200, 201)
        let id = try answer.string("id")
        try answer.demand("notes", is: second["notes"])
        let read = try await probe.ann.get("/events/\(id)").demand(200)
        try read.demand("notes", is: second["notes"])
        let ids = [kept, first["id"].stringValue ?? "", second["id"].stringValue ?? ""].filter { $0 != id }
        for other in Set(ids) {
            try await probe.ann.get("/events/\(other)").demand(404, because: "one record per sample")
        }
    }
}

extension JSONValue {
    /// The object with other members over its own.
    func merging(_ members: [String: JSONValue]) -> JSONValue {
        .object((objectValue ?? [:]).merging(members) { $1 })
    }
}
