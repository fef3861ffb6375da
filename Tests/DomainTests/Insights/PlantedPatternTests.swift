import Testing
import TrendyDomain

@Suite("insights into planted patterns")
struct PlantedPatternTests {
    private let year = daysBefore(364)

    @Test("a favourite weekday is found, with its figures")
    func favouriteWeekday() async throws {
        // 14 of 22 days on a Sunday, in 22 weeks; the other eight on all sorts of weekdays.
        let days = daysBefore(154)
        let sundays = days.indices.filter { days[$0].weekday == .sunday }.prefix(14)
        let others = [1, 25, 47, 60, 80, 103, 122, 148].map { days[$0].weekday == .sunday ? $0 + 1 : $0 }
        let run = days.indices.map { sundays.contains($0) || others.contains($0) ? 1 : 0 }
        let found = try await insights(input(history("run", run))).of(.weekday)
        #expect(
            found.map(\.sentence) == [
                "You log run mostly on Sundays: \(sundays.count) of 22 days, against 3.2 expected"
            ])
        #expect(found.first?.figures["weekdays"] == .array([.string("sunday")]))
        #expect(found.first?.figures["observed"] == .number(14) && found.first?.figures["n"] == .integer(22))
        #expect(found.first?.eventTypeIds == ["id-run"])
    }

    @Test("two favourite weekdays are one sentence")
    func twoWeekdays() async throws {
        var dice = Dice(seed: 1)
        let run = year.map { dice.chance([.tuesday, .thursday].contains($0.weekday) ? 0.8 : 0.05) ? 1 : 0 }
        let found = try await insights(input(history("run", run))).of(.weekday)
        #expect(found.count == 1)
        #expect(found.first?.sentence.hasPrefix("You log run mostly on Tuesdays and Thursdays: ") == true)
    }

    @Test("what is not done at weekends, and what is done less there, is found")
    func weekends() async throws {
        var dice = Dice(seed: 2)
        let work = year.map { dice.chance($0.weekday.isWeekend ? 0.05 : 0.9) ? 1 : 0 }
        let coffee = year.map { 1 + dice.number(below: $0.weekday.isWeekend ? 2 : 5) }
        let found = try await insights(input(history("work", work), history("coffee", coffee))).of(.weekday)
        #expect(found.count == 2)
        #expect(found.contains { $0.sentence.hasPrefix("You log work rarely at weekends: ") })
        #expect(found.contains { $0.sentence.hasPrefix("You log coffee less at weekends: ") })
    }

    @Test("types on the same days are found, with strength and number of days", arguments: [90, 180, 364])
    func together(length: Int) async throws {
        var dice = Dice(seed: length)
        let wine = dice.days(length, chance: 0.25)
        let headache = wine.map { dice.chance($0 == 1 ? 0.85 : 0.08) ? 1 : 0 }
        let other = dice.days(length, chance: 0.4)
        let histories = input(history("wine", wine), history("other", other), history("headache", headache))
        let found = try await insights(histories).of(.correlation)
        #expect(found.count == 1)
        let insight = try #require(found.first)
        #expect(Set(insight.eventTypeIds) == ["id-wine", "id-headache"])
        #expect(insight.sentence.contains("on the same day more often than by chance"))
        let both = zip(wine, headache).filter { $0 == 1 && $1 == 1 }.count
        #expect(insight.figures["days_with_both"] == .integer(Int64(both)))
        let strength = try #require(insight.figures["strength"]?.doubleValue)
        #expect((0.5...1).contains(strength))
        let days = try #require(insight.figures["n"]?.doubleValue)
        #expect(days <= Double(length) && days >= Double(length) - 20)
    }

    @Test("types that avoid each other are found")
    func apart() async throws {
        var dice = Dice(seed: 4)
        let gym = dice.days(300, chance: 0.5)
        let rest = gym.map { dice.chance($0 == 1 ? 0.1 : 0.7) ? 1 : 0 }
        let found = try await insights(input(history("gym", gym), history("rest", rest))).of(.correlation)
        #expect(found.count == 1)
        #expect(found.first?.sentence.contains("on the same day less often than by chance") == true)
        #expect((found.first?.figures["strength"]?.doubleValue ?? 0) < -0.4)
    }

    @Test("what two types have in common is one sentence, with their figures together")
    func shared() async throws {
        var dice = Dice(seed: 12)
        let (run, read) = (
            (0..<180).map { $0 >= 173 ? 5 : dice.chance(0.5) ? 1 : 0 },
            (0..<180).map { $0 >= 173 ? 4 : dice.chance(0.5) ? 1 : 0 }
        )
        let week = try await insights(input(history("run", run), history("read", read))).of(.weekComparison)
        #expect(week.map(\.eventTypeIds.count) == [2])
        #expect(week.first?.sentence.contains("more than usual: 63 times together in the 7 days up to") == true)

        let (first, second) = (
            year.map { $0.weekday == .sunday ? 1 : dice.chance(0.02) ? 1 : 0 },
            year.map { $0.weekday == .sunday ? 1 : dice.chance(0.02) ? 1 : 0 }
        )
        let sundays = try await insights(input(history("a", first), history("b", second))).of(.weekday)
        let days = (first + second).reduce(0, +)
        #expect(sundays.count == 1)
        #expect(sundays.first?.sentence.contains("mostly on Sundays: 104 of \(days) days, against ") == true)

        let both = (0..<200).map { $0 < 195 ? 1 : 0 }
        let always = [Int](repeating: 1, count: 200)
        let gaps = try await insights(input(history("a", both), history("b", both), history("c", always))).of(.gap)
        #expect(
            gaps.map(\.sentence) == [
                "You have not logged a and b for 5 days, since \(daysBefore(6)[0]): there was no gap of any of them "
                    + "before"
            ])
    }

    @Test("a week unlike those before is found, more and less")
    func weeks() async throws {
        var dice = Dice(seed: 5)
        let run = (0..<180).map { $0 >= 173 ? 5 : dice.chance(0.5) ? 1 : 0 }
        let read = (0..<180).map { $0 >= 173 ? ($0 == 175 ? 1 : 0) : 3 + dice.number(below: 3) }
        let found = try await insights(input(history("run", run), history("read", read))).of(.weekComparison)
        #expect(found.count == 2)
        let previous = run[166..<173].reduce(0, +)
        #expect(
            found.contains {
                $0.sentence.hasPrefix(
                    "You logged run more than usual: 35 times in the 7 days up to \(daysBefore(1)[0]), "
                        + "\(previous) in the 7 before them, ")
            })
        #expect(
            found.contains {
                $0.sentence.hasPrefix(
                    "You logged read less than usual: 1 time in the 7 days up to \(daysBefore(1)[0]), ")
            })
    }

    @Test("what has not been logged for longer than ever is found, and is not told twice")
    func gap() async throws {
        var dice = Dice(seed: 6)
        let run = (0..<120).map { $0 < 100 && dice.chance(0.5) ? 1 : 0 }
        let read = dice.days(120, chance: 0.9)
        let found = try await insights(input(history("run", run), history("read", read)))
        let gap = try #require(found.of(.gap).first)
        let last = try #require(run.lastIndex(of: 1))
        #expect(
            gap.sentence.hasPrefix("You have not logged run for \(119 - last) days, since \(daysBefore(120)[last]): "))
        #expect(found.of(.weekComparison) == [])
    }

    @Test("who has logged nothing lately is told that, and no more of it")
    func silence() async throws {
        var dice = Dice(seed: 7)
        let run = (0..<120).map { $0 < 110 && dice.chance(0.8) ? 1 : 0 }
        let read = (0..<120).map { $0 < 110 ? 1 : 0 }
        let found = try await insights(input(history("run", run), history("read", read)))
        #expect(found.claims.map(\.sentence) == ["You have logged nothing for 10 days, since \(daysBefore(11)[0])"])
        let back = try await insights(input(history("run", run, today: 1), history("read", read)))
        #expect(!back.contains { $0.sentence.hasPrefix("You have logged nothing") })
    }

    @Test("who has logged nothing for longer than is looked at hears of the last day, and of those looked at")
    func longSilence() async throws {
        var run = [Int](repeating: 0, count: 700)
        (run[0], run[3]) = (2, 1)
        let found = try await insights(input(history("run", run)))
        let days = daysBefore(700)
        #expect(found.of(.gap).map(\.sentence) == ["You have logged nothing for 696 days, since \(days[3])"])
        let shortage = try #require(found.of(.tooLittleData).first)
        #expect(
            shortage.sentence == "There is too little data for patterns: nothing is logged between \(days[336]) and "
                + "\(days[699]); 3 events lie between \(days[0]) and \(days[3])")
        #expect(shortage.figures["events"] == 3 && shortage.figures["last_event_day"] == .string(days[3].description))
        for insight in found {
            #expect(insight.figures[Insight.firstDay] == .string(days[336].description))
            #expect(insight.figures[Insight.lastDay] == .string(days[699].description))
        }
    }

    @Test("a habit of every day that is missed for some days is found, and a single day is no news")
    func daily() async throws {
        let read = [Int](repeating: 1, count: 200)
        func found(missed: Int) async throws -> [String] {
            let run = (0..<200).map { $0 < 200 - missed ? 1 : 0 }
            return try await insights(input(history("run", run), history("read", read))).of(.gap).map(\.sentence)
        }
        let since = daysBefore(6)[0]
        #expect(
            try await found(missed: 5) == [
                "You have not logged run for 5 days, since \(since): there was no gap before"
            ])
        #expect(try await found(missed: 1) == [])
    }

    @Test("what was given up long ago is no news")
    func givenUp() async throws {
        let run = (0..<200).map { $0 < 40 && $0 % 2 == 0 ? 1 : 0 }
        let read = [Int](repeating: 1, count: 200)
        #expect(try await insights(input(history("run", run), history("read", read))).of(.gap) == [])
    }
}
