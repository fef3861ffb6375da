import Testing
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

@testable import TrendyApp

@MainActor
@Suite("An import beside which somebody makes the same type")
struct CrossedImportTests {
    private let shell: TestShell
    private let context: CommandContext
    private let types: ImportTypes
    private let writer: ImportWriter

    init() throws {
        shell = try TestShell()
        let process = ProcessContext(
            environment: shell.environment, input: StandardInput(descriptor: -1), output: Output(), errors: Output(),
            wallClock: shell.clock, identifiers: UUIDv7Generator(clock: shell.clock), zone: .utc)
        let folders = Folders(data: shell.home.path, config: shell.home.path)
        context = CommandContext(
            root: CompositionRoot(configuration: TrendyConfiguration(folders: folders), process: process),
            wantsJSON: false)
        types = try ImportTypes(context: context, createsMissing: true)
        writer = ImportWriter(context: context, types: types, updates: false)
    }

    private func take(
        _ number: Int, of typeId: String, _ properties: [String: PropertyValue], by other: ImportWriter? = nil
    ) async throws -> Int {
        let event = Event(
            id: TestShell.eventId(number), eventTypeId: typeId, timestamp: TestShell.noon, properties: properties)
        return try await (other ?? writer).take([IdentifiedEvent(event: event)]).new
    }

    @Test("takes the other's type with its properties for the rows to come")
    func replaced() async throws {
        let type = try types.type(named: "run")
        let km = try types.definition("km", of: type, orMakeFor: .number(5))
        _ = try types.definition("mood", of: type, orMakeFor: .select("good"))
        #expect(km.propertyType == .number)
        _ = try await shell.json("type", "add", "Run")
        _ = try await shell.json("prop", "add", "Run", "km", "--kind", "text")
        #expect(try await take(1, of: type.id, ["km": .number(5), "mood": .select("good")]) == 1)
        let other = try types.type(named: "run")
        #expect(other.name == "Run" && other.id != type.id)
        // What the store has of each property, and not what this import would have made.
        #expect(try types.definition("km", of: other).propertyType == .text)
        let mood = try types.definition("mood", of: other, orMakeFor: .select("bad"))
        #expect(mood.eventTypeId == other.id && mood.options == ["good", "bad"])
        _ = try types.definition("steps", of: other, orMakeFor: .number(1))
        #expect(try await take(2, of: other.id, ["mood": .select("bad"), "steps": .number(1)]) == 1)
        // A row that was read before, with the id that it had then.
        #expect(try await take(3, of: type.id, [:]) == 1)
        let definitions = try await shell.json("prop", "list", "run").array
        #expect(definitions.compactMap { $0["key"]?.stringValue }.sorted() == ["km", "mood", "steps"])
        #expect(definitions.first { $0["key"] == "mood" }?["options"] == ["good", "bad"])
        let events = try await shell.json("list").array
        #expect(events.map { $0["event_type_id"] } == Array(repeating: .string(other.id), count: 3))
        #expect(try await shell.json("type", "list").array.count == 1)
    }

    @Test("adds its options to the property that the other has made of a type which both had")
    func sameProperty() async throws {
        _ = try await shell.json("type", "add", "run")
        let types = try ImportTypes(context: context, createsMissing: true)
        let type = try types.type(named: "run")
        _ = try types.definition("mood", of: type, orMakeFor: .select("good"))
        let others = try ImportTypes(context: context, createsMissing: true)
        for mood in ["bad", "fine"] { _ = try others.definition("mood", of: type, orMakeFor: .select(mood)) }
        let other = ImportWriter(context: context, types: others, updates: false)
        let event = Event(
            id: TestShell.eventId(9), eventTypeId: type.id, timestamp: TestShell.noon,
            properties: ["mood": .select("fine")])
        #expect(try await other.take([IdentifiedEvent(event: event)]).new == 1)
        let writer = ImportWriter(context: context, types: types, updates: false)
        #expect(try await take(1, of: type.id, ["mood": .select("good")], by: writer) == 1)
        _ = try types.definition("mood", of: type, orMakeFor: .select("new"))
        #expect(try await take(2, of: type.id, ["mood": .select("new")], by: writer) == 1)
        let definitions = try await shell.json("prop", "list", "run").array
        #expect(definitions.map { $0["key"] } == ["mood"])
        #expect(definitions.first?["options"] == ["bad", "fine", "good", "new"])
    }
}
