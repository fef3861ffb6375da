import TrendyDomain

extension ConformanceRule {
    /// What the deletion of an event type takes along.
    static let cascadeRules: [ConformanceRule] = [
        ConformanceRule(
            .cascades, "children-go",
            "Deleting an event type deletes its events and property definitions, and no others.",
            .cascades
        ) { probe in
            let doomed = try await makeFamily(probe)
            let kept = try await makeFamily(probe)
            try await probe.ann.delete("/event-types/\(doomed.type)").demand(204)
            for path in doomed.children {
                try await probe.ann.get(path).demand(404, because: "its type was deleted")
            }
            let listed = try await probe.ann.get("/events?limit=1000").demand(200)
            try listed.list()
            try listed.demand(!listed.ids.contains(where: doomed.events.contains), "an event without type is listed")
            for path in kept.children { try await probe.ann.get(path).demand(200, because: "its type is there") }
        },
        ConformanceRule(
            .cascades, "children-logged", "The feed has the deletion of each child of a deleted type.", .cascades
        ) { probe in
            let family = try await makeFamily(probe)
            let cursor = try await latest(probe)
            try await probe.ann.delete("/event-types/\(family.type)").demand(204)
            let page = try await page(probe, since: cursor, limit: 500)
            let deleted = page["changes"].elements.filter { $0["operation"] == "delete" }
                .compactMap { $0["entity_id"].stringValue }
            try page.demand(deleted.contains(family.type), "the deletion of the type is not in the feed")
            let missing = family.ids.filter { !deleted.contains($0) }
            if missing.count == family.ids.count {
                return probe.deviates(.cascadesAreNotLogged, "the feed names the deleted type only", page)
            }
            try page.demand(missing.isEmpty, "the feed lacks the deletion of \(missing.count) children")
        },
        ConformanceRule(
            .cascades, "name-is-free", "A deleted type's name can be used again.", .cascades
        ) { probe in
            let type = probe.type(probe.id())
            try await probe.ann.post("/event-types", type).demand(201)
            try await probe.ann.delete("/event-types/\(type["id"].stringValue ?? "")").demand(204)
            try await probe.ann.post("/event-types", type.merging(["id": .string(probe.id())])).demand(201)
        },
    ]

    private struct Family {
        var type: String
        var events: [String]
        var property: String

        var ids: [String] { events + [property] }
        var children: [String] { events.map { "/events/\($0)" } + ["/property-definitions/\(property)"] }
    }

    private static func makeFamily(_ probe: Probe) async throws -> Family {
        let (type, property) = (try await probe.makeType(), probe.id())
        try await probe.ann.post("/event-types/\(type)/properties", probe.property(property, of: type)).demand(201)
        return Family(type: type, events: try await probe.makeEvents(3, type), property: property)
    }
}
