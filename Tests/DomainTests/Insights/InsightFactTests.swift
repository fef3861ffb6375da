import Foundation
import Testing
import TrendyDomain

@Suite("insights")
struct InsightFactTests {
    @Test("a streak is told with its start, and the longest one")
    func streaks() async throws {
        let counts = [1, 1, 1, 1, 1, 0, 1, 1, 1]
        let start = daysBefore(3)[0]
        let end = daysBefore(5)[0]
        #expect(
            try await insights(input(history("run", counts))).of(.streak).map(\.sentence) == [
                "You have logged run 3 days in a row, since \(start), up to \(daysBefore(1)[0]): "
                    + "the longest was 5 days, up to \(end)"
            ])
        let still = try await insights(input(history("run", [0, 1, 1], today: 2))).of(.streak)
        #expect(
            still.map(\.sentence) == [
                "You have logged run 3 days in a row, since \(daysBefore(2)[0]): no streak was longer"
            ])
        #expect(still.first?.figures["days"] == .integer(3) && still.first?.figures["longest_days"] == .integer(3))
        #expect(try await insights(input(history("run", [1, 1]))).of(.streak) == [])
    }

    @Test("types with the same streak share a sentence, and others have their own")
    func sharedStreak() async throws {
        let names = (1...8).map { "habit\($0)" }
        let same = names.map { history($0, [Int](repeating: 1, count: 364), today: 1) }
        let other = history("other", [Int](repeating: 2, count: 5), today: 1)
        let found = try await insights(InsightInput(histories: [other] + same, today: today)).of(.streak)
        #expect(
            found.map(\.sentence) == [
                "You have logged habit1, habit2, habit3, habit4, habit5 and 3 more each 365 days in a row, since "
                    + "\(daysBefore(364)[0]): no streak was longer",
                "You have logged other 6 days in a row, since \(daysBefore(5)[0]): no streak was longer",
            ])
        #expect(found.first?.eventTypeIds == names.map { "id-\($0)" })
    }

    @Test("a type whose events all lie elsewhere is named, with their days")
    func elsewhere() async throws {
        var old = DayCounts()
        for offset in 0..<30 { old.add(2, on: today.advanced(by: -1000 + offset)) }
        var dice = Dice(seed: 4)
        let histories = [
            InsightInput.History(eventTypeId: "id-flight", name: "flight", days: old),
            history("usual", dice.days(364, chance: 0.5)), history("new", [], today: 1),
        ]
        let found = try await insights(InsightInput(histories: histories, today: today)).of(.tooLittleData)
        let year = daysBefore(364)
        #expect(
            found.map(\.sentence) == [
                "Nothing is logged of flight between \(year[0]) and \(year[363]); 60 events lie between "
                    + "\(today.advanced(by: -1000)) and \(today.advanced(by: -971))"
            ])
        #expect(found.first?.figures[Insight.lastEventDay] == .string(today.advanced(by: -971).description))
    }

    @Test("how sure a claim is stands in a sentence; a fact needs none")
    func details() async throws {
        let run = (0..<200).map { $0 < 195 ? 1 : 0 }
        let read = [Int](repeating: 1, count: 200)
        let found = try await insights(input(history("run", run), history("read", read)))
        #expect(found.of(.streak).map(\.detail) == [nil])
        #expect(
            found.of(.gap).map(\.detail) == ["Chance alone would show as much in fewer than 1 of 1,000 cases"])
    }

    @Test("too little data is said, with what it takes")
    func tooLittle() async throws {
        #expect(
            try await insights(input()).map(\.sentence) == [
                "There is too little data for patterns yet: nothing has been logged; "
                    + "it takes 10 days with an event, over at least 28 days"
            ])
        let few = try await insights(input(history("run", [1, 0, 1, 0, 0, 1, 0]), history("tea", [1])))
        #expect(
            few.map(\.sentence) == [
                "There is too little data for patterns yet: no type was logged on more than 3 of 7 days; "
                    + "it takes 10 days with an event, over at least 28 days"
            ])
        #expect(few.map(\.kind) == [.tooLittleData])
        let second = try await insights(input(history("run", [3]), history("tea", [1])))
        #expect(second.map(\.sentence).first?.contains("yet: only one day is over; it takes") == true)
        let first = try await insights(input(history("run", [], today: 1)))
        #expect(first.first?.sentence.contains("the first day is not over") == true)
    }

    @Test("where there is enough for some types the others are named")
    func someTooShort() async throws {
        var dice = Dice(seed: 3)
        let names = (1...7).map { "rare\($0)" }
        let rare = names.map { history($0, [1, 0, 0]) }
        let usual = history("usual", dice.days(60, chance: 0.5))
        let found = try await insights(InsightInput(histories: [usual] + rare, today: today)).of(.tooLittleData)
        #expect(
            found.map(\.sentence) == [
                "There is too little data for patterns of rare1, rare2, rare3, rare4, rare5 and 2 more yet; "
                    + "it takes 10 days with an event, over at least 28 days"
            ])
        #expect(found.first?.eventTypeIds.count == 7)
    }

    @Test("what lies after today, and today itself, is not compared")
    func future() async throws {
        var planned = DayCounts()
        for offset in 1..<100 { planned.add(5, on: today.advanced(by: offset)) }
        let histories = [InsightInput.History(eventTypeId: "id", name: "plan", days: planned)]
        let found = try await insights(InsightInput(histories: histories, today: today))
        #expect(found.map(\.kind) == [.tooLittleData])
    }

    @Test("strange histories are no trouble")
    func strange() async throws {
        let far = history("far", [1])
        var days = far.days
        for day in [CalendarDay(daysSince1970: -719_528), CalendarDay(daysSince1970: 2_932_896)] {
            days.add(1, on: day)
        }
        let every = history("every", [Int](repeating: 1_000_000, count: 364))
        let histories = [
            InsightInput.History(eventTypeId: "far", name: "", days: days), every, every, history("none", []),
        ]
        let found = try await insights(InsightInput(histories: histories, today: today))
        #expect(found.claims == [])
    }

    @Test("the order is that of importance, and the same each time")
    func order() async throws {
        var dice = Dice(seed: 8)
        let run = daysBefore(200).map { $0.weekday == .sunday || dice.chance(0.1) ? 1 : 0 }
        let input = input(history("run", run), history("read", [Int](repeating: 1, count: 200)), history("rare", [1]))
        let found = try await insights(input)
        #expect(found.map(\.kind) == [.streak, .weekday, .tooLittleData])
        #expect(try await insights(input) == found)
    }

    @Test("an insight comes back from its JSON, under the names of the wire")
    func coding() throws {
        let insight = Insight(
            kind: .weekComparison, sentence: "more", eventTypeIds: ["a"],
            figures: ["last_7_days": .integer(9), "since": .string("2026-11-20")])
        let json = try JSONEncoder().encode(insight)
        let object = try JSONDecoder().decode(JSONValue.self, from: json).objectValue
        #expect(object.map { Set($0.keys) } == ["kind", "sentence", "event_type_ids", "figures"])
        #expect(object?["kind"] == .string("week_comparison"))
        #expect(try JSONDecoder().decode(Insight.self, from: json) == insight)
    }

    @Test("a cancelled question is not answered")
    func cancelled() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await insights(input(history("run", [Int](repeating: 1, count: 100))))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
