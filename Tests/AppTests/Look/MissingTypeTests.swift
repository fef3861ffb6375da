import Testing
import TrendyDomain
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("Events whose type is not here")
struct MissingTypeTests {
    private let shell: TestShell
    private let type = "018f0000-0000-7000-8000-0000000000aa"

    init() async throws {
        shell = try TestShell()
        try await shell.log(1, try await shell.makeType("run"), at: "2026-03-10 09:00")
        let orphan = Event(id: TestShell.eventId(2), eventTypeId: type, timestamp: TestShell.noon)
        try shell.change { try $0.upsert(contentsOf: [LocalRecord(orphan)]) }
    }

    private func check(_ name: String) async throws {
        for command in [["list"], ["today"], ["stats"], ["show", TestShell.eventId(2)]] {
            let answer = try await shell.run(command)
            #expect(answer.output.contains(name), "\(command): \(answer)")
        }
    }

    @Test("a type of which nothing is known is called unknown, with its id")
    func unknown() async throws {
        try await check("(unknown type \(ShortId.of(type)))")
    }

    @Test("a type that could not be read is said to be in quarantine, by its name")
    func quarantined() async throws {
        try shell.change { [type] store in
            try store.putDocument(
                QuarantinedChange(
                    id: "a",
                    entry: ChangeEntry(
                        id: 1, entityType: .eventType, operation: .create, entityId: type, data: ["name": "tea"]),
                    reason: "its colour is of another kind", receivedAt: TestShell.noon))
        }
        try await check("(tea, in quarantine)")
    }

    @Test("a type that was deleted is said to be, by its name where that is known")
    func deleted() async throws {
        try shell.change { [type] store in
            try store.putBases([
                RecordBase(.eventType, id: type, document: ["name": "tea"], isDeleted: true, revision: 4)
            ])
        }
        try await check("(tea, deleted)")
    }
}
