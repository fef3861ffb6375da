import Foundation
import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("The same events in several formats")
struct SameEventTests {
    private let shell: TestShell

    /// A store with events that have names from elsewhere: of a whole day, and of a moment with parts of a second.
    init() async throws {
        shell = try TestShell()
        shell.zone = LocalZone(try #require(TimeZone(identifier: "Europe/Berlin")))
        let calendar = """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VEVENT
            UID:a@example.org
            DTSTART;VALUE=DATE:20260216
            SUMMARY:gym
            END:VEVENT
            END:VCALENDAR

            """
        let day = try await shell.run(["import", "ics", "-", "--json"], input: calendar)
        #expect(try day.json()["imported"] == 1, "\(day.errors)")
        let event = "[{\"external_id\":\"b\",\"timestamp\":\"2026-02-17T08:00:00.250Z\",\"event_type\":\"run\"}]"
        let moment = try await shell.run(["import", "json", "-", "--json"], input: event)
        #expect(try moment.json()["imported"] == 1, "\(moment.errors)")
    }

    /// How many events an import of an export makes on another device.
    private func count(_ form: String, on other: TestShell, _ options: String...) async throws -> JSONValue? {
        let path = try other.home.write(try await shell.run("export", form).output, to: "e.\(form)")
        let answer = try await other.run(["import", form, path, "--json"] + options)
        #expect(answer.status == 0, "\(answer.errors)")
        return try answer.json()["imported"]
    }

    @Test(
        "make nothing twice, in any order and zone", arguments: ["csv", "ics", "json"],
        ["Europe/Berlin", "America/New_York", "Asia/Tokyo"])
    func orders(first: String, zone: String) async throws {
        let other = try TestShell()
        other.zone = LocalZone(try #require(TimeZone(identifier: zone)))
        #expect(try await count(first, on: other) == 2)
        for form in ["csv", "ics", "json"] {
            #expect(try await count(form, on: other, "--dry-run") == 0, "\(first), then \(form) would")
            #expect(try await count(form, on: other) == 0, "\(first), then \(form)")
        }
        #expect(try await other.json("list").array.count == 2)
    }

    @Test("nor where they are another account's, and JSON is taken as copies", arguments: ["csv", "ics"])
    func otherAccount(form: String) async throws {
        try shell.change { store in
            for var event in try store.fetch(Event.self, where: nil) {
                event.server.createdAt = event.entity.timestamp
                try store.upsert(event)
            }
        }
        try shell.claim(for: StoreOwner(userId: "somebody", server: "https://trendy.example.org"))
        let other = try TestShell()
        try other.claim(for: StoreOwner(userId: "me", server: "https://trendy.example.org"))
        #expect(try await count("json", on: other) == 2)
        #expect(try await count(form, on: other, "--dry-run") == 0)
        #expect(try await count(form, on: other) == 0)
    }
}
