import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

@testable import TrendyApp

extension TestShell {
    /// The ids of the events that ``log(_:_:at:until:properties:notes:isAllDay:)`` makes end in this and a number.
    static let idTail = "e000"

    /// The id of the event of that number.
    static func eventId(_ number: Int) -> String {
        let digits = String(number)
        return "01a1fdb1-9701-728a-99b3-5cb7" + idTail + String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Makes a type of that name and colour, and gives its id.
    func makeType(_ name: String, color: String = EventType.defaultColor) async throws -> String {
        let id = try await json("type", "add", name, "--color", color)["id"]?.stringValue
        guard let id else { throw CommandFailure(.software, "no id") }
        return id
    }

    /// Puts an event with a known id into the store.
    func log(
        _ number: Int, _ type: String, at time: String, until: String? = nil,
        properties: [String: PropertyValue] = [:], notes: String? = nil, isAllDay: Bool = false
    ) async throws {
        let moment = { (text: String) throws -> Timestamp in try WhenParser(now: TestShell.noon, zone: .utc).parse(text)
        }
        try await engine.create(
            Event(
                id: Self.eventId(number), eventTypeId: type, timestamp: try moment(time), notes: notes,
                isAllDay: isAllDay, endDate: try until.map(moment), properties: properties))
    }

    /// What a command writes, without the blank lines that tests cannot show at the end.
    func output(_ arguments: String...) async throws -> String { try await output(arguments) }

    func output(_ arguments: [String]) async throws -> String {
        let answer = try await run(arguments)
        guard answer.status == 0 else { throw CommandFailure(.software, answer.errors) }
        return answer.output
    }
}
