import Foundation
import TrendyDomain

extension ConformanceRule {
    /// How refusals look.
    static let errorRules: [ConformanceRule] = [
        ConformanceRule(
            .errors, "validation", "Wrong fields are 400, and the problem names each of them.", .errors
        ) { probe in
            let body = probe.geofence(probe.id()).merging(["latitude": 90.5, "radius": 49])
            let answer = try await probe.ann.post("/geofences", body)
            if try probe.demandProblem(answer, 400, "validation") {
                let fields = Set(answer["errors"].elements.compactMap { $0["field"].stringValue })
                try answer.demand(fields.isSuperset(of: ["latitude", "radius"]), "errors names \(fields.sorted())")
                try answer.demand(
                    answer["errors"].elements.allSatisfy {
                        $0["message"].stringValue != nil && $0["code"].stringValue != nil
                    },
                    "an error has no message or code")
            }
            try await probe.ann.get("/geofences/\(body["id"].stringValue ?? "")").demand(404)
        },
        ConformanceRule(
            .errors, "wrong-values", "Values outside of what a field may have are 400, in a POST and in a PUT.",
            .records
        ) { probe in try await checkWrongValues(probe) },
        ConformanceRule(.errors, "not-found", "A record that does not exist is 404 not_found.", .errors) { probe in
            for list in ["/events", "/event-types", "/property-definitions", "/geofences"] {
                try probe.demandProblem(try await probe.ann.get("\(list)/\(probe.id())"), 404, "not_found")
            }
        },
        ConformanceRule(.errors, "unknown-route", "A route that does not exist is 404.", .errors) { probe in
            try probe.demandProblem(try await probe.ann.get("/no-such-things"), 404, "not_found")
        },
        ConformanceRule(.errors, "bad-id", "An id that is no UUID of version 7 is 400.", .errors) { probe in
            try probe.demandProblem(try await probe.ann.get("/events/not-an-id"), 400, "invalid_uuid")
            let body = probe.geofence("0b8d2c5e-7a44-4c1b-9d5e-3f0a9c1d2e4f")
            try probe.demandProblem(try await probe.ann.post("/geofences", body), 400, "invalid_uuid")
        },
        ConformanceRule(.errors, "bad-json", "A body that is no JSON is 400, and so is one of another shape.", .errors)
        {
            probe in
            for text in ["{\"id\":", "not json", "[1,2]", "\"text\"", ""] {
                var request = try Scene.request(.post, "/geofences")
                request.headers["Content-Type"] = "application/json"
                request.body = Data(text.utf8)
                try probe.demandProblem(try await probe.ann.send(request), 400)
            }
        },
        ConformanceRule(.errors, "content-type", "A body that says it is not JSON is 415.", .openAPI) { probe in
            var request = try Scene.request(.post, "/geofences", probe.geofence(probe.id()))
            request.headers["Content-Type"] = "text/plain"
            try probe.demandProblem(try await probe.ann.send(request), 415)
        },
        ConformanceRule(.errors, "method", "A method that a route does not have is 405 with Allow.", .openAPI) {
            probe in
            for (method, path) in [(WireRequest.Method.patch, "/events"), (.delete, "/events"), (.put, "/geofences")] {
                let answer = try await probe.ann.send(Scene.request(method, path))
                if answer.status == 404 {
                    try probe.demandProblem(answer, 404)
                    probe.deviates(.methodsAreNotFound, "\(answer.name) is answered 404", answer)
                    continue
                }
                try probe.demandProblem(answer, 405)
                let allow = answer.header("Allow") ?? ""
                try answer.demand(allow.contains("GET") && allow.contains("POST"), "Allow is '\(allow)'")
            }
        },
        ConformanceRule(
            .errors, "unknown-parent", "An event of an event type that does not exist is 400.", .openAPI
        ) { probe in
            let event = probe.event(probe.id())
            let answer = try await probe.ann.post("/events", event)
            try probe.demandProblem(answer, 400, "validation")
            try await probe.ann.get("/events/\(event["id"].stringValue ?? "")").demand(404)
            let list = "/event-types/\(probe.id())/properties"
            try probe.demandProblem(try await probe.ann.get(list), 404, "not_found")
        },
        ConformanceRule(
            .errors, "bad-query", "A limit or cursor that is no number is 400.", .openAPI
        ) { probe in
            for path in ["/events?limit=many", "/events?offset=-1", "/changes?since=now", "/geofences?active=perhaps"] {
                try probe.demandProblem(try await probe.ann.get(path), 400, "validation")
            }
        },
    ]

    private static func checkWrongValues(_ probe: Probe) async throws {
        let (type, place) = try await makePlaces(probe)
        let event = try await probe.makeEvent(type)
        let property = probe.property(probe.id(), of: type)
        let wrong: [(String, JSONValue)] = [
            ("/events", probe.event(type, ["timestamp": "yesterday"])),
            ("/events", probe.event(type, ["source_type": "telepathy"])),
            ("/events", probe.event(type, ["timestamp": nil])),
            ("/event-types", probe.type(probe.id()).merging(["color": "red"])),
            ("/event-types", probe.type(probe.id()).merging(["name": ""])),
            ("/geofences", probe.geofence(probe.id()).merging(["radius": 10001])),
            ("/geofences", probe.geofence(probe.id()).merging(["longitude": -180.5])),
            ("/event-types/\(type)/properties", property.merging(["property_type": "colour"])),
        ]
        for (path, body) in wrong { try probe.demandProblem(try await probe.ann.post(path, body), 400) }
        let changes: [(String, JSONValue)] = [
            ("/events/\(event)", ["source_type": "telepathy"]),
            ("/events/\(event)", ["location_latitude": 91, "location_longitude": 0]),
            ("/geofences/\(place)", ["latitude": 90.01]),
            ("/event-types/\(type)", ["color": "#12345"]),
        ]
        for (path, change) in changes {
            let before = try await probe.ann.get(path).demand(200).json
            try probe.demandProblem(try await probe.ann.put(path, change), 400)
            let after = try await probe.ann.get(path).demand(200)
            try after.demand(after.json.isSame(as: before), "a refused change has changed the record")
        }
    }
}
