import Foundation
import Testing

@Suite("--json", .fewAtOnce, .timeLimit(.minutes(10)))
struct JSONShapeTests {
    private func object(_ outcome: Outcome) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any], "\(outcome)")
    }

    private func objects(_ outcome: Outcome) throws -> [[String: Any]] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]], "\(outcome)")
    }

    @Test("records have the names of the wire and sync_status")
    func records() async throws {
        let device = try Device()
        let type = try object(try await device.done("type", "add", "coffee", "--json"))
        #expect(Set(type.keys).isSuperset(of: ["id", "name", "color", "icon", "sync_status"]))
        let property = try object(
            try await device.done("prop", "add", "coffee", "size", "--kind", "select", "--options", "s,l", "--json"))
        #expect(
            Set(property.keys).isSuperset(of: [
                "id", "event_type_id", "key", "label", "property_type", "display_order", "sync_status",
            ]))
        #expect(property["options"] as? [String] == ["s", "l"])
        let place = try object(
            try await device.done("place", "add", "home", "--lat", "1.5", "--lon", "2.5", "--json"))
        #expect(
            Set(place.keys).isSuperset(of: [
                "id", "name", "latitude", "longitude", "radius", "is_active", "sync_status",
            ]))
        let event = try object(
            try await device.done("log", "coffee", "--prop", "size=l", "--note", "n", "--all-day", "--json"))
        #expect(
            Set(event.keys).isSuperset(of: [
                "id", "event_type_id", "timestamp", "notes", "is_all_day", "source_type", "properties", "sync_status",
            ]))
        #expect(event["sync_status"] as? String == "pending")
        let properties = event["properties"] as? [String: [String: String]]
        #expect(properties == ["size": ["type": "select", "value": "l"]])
        #expect(try objects(try await device.done("list", "--json")).count == 1)
        #expect(try objects(try await device.done("type", "list", "--json")).count == 1)
        #expect(try objects(try await device.done("prop", "list", "coffee", "--json")).count == 1)
        #expect(try objects(try await device.done("place", "list", "--json")).count == 1)
        let id = try #require(event["id"] as? String)
        #expect(try object(try await device.done("show", id, "--json"))["id"] as? String == id)
    }

    @Test("empty lists are empty arrays")
    func empty() async throws {
        let device = try Device()
        for command in [["list"], ["type", "list"], ["place", "list"], ["queue"]] {
            #expect(try objects(try await device.done(command + ["--json"])).isEmpty)
        }
    }

    @Test("sync and status have every field")
    func reports() async throws {
        let server = try await ServerProcess.start(data: Folder())
        let device = try Device()
        try await device.signUp(at: server.address)
        try await device.log("tea", "--create-type")
        let sync = try object(try await device.done("sync", "--json"))
        #expect(
            Set(sync.keys).isSuperset(of: [
                "state", "pushed", "pulled", "pending", "parked", "conflicts", "cursor", "bootstrapped",
                "retry_after", "error",
            ]))
        #expect(sync["state"] as? String == "idle")
        let status = try object(try await device.done("status", "--json"))
        #expect(
            Set(status.keys).isSuperset(of: [
                "server", "signed_in", "counts", "pending", "parked", "last_sync", "state",
            ]))
        #expect(status["server"] as? String == server.address)
        #expect((status["counts"] as? [String: Int])?["event"] == 1)
    }
}
