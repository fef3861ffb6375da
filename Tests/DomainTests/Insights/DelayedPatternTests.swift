import Testing
import TrendyDomain

/// Relations from one day to the next, and of numbers with events: those that were planted are found, with figures that
/// can be counted by hand, and chance gives hardly any.
@Suite("insights into the next day and into amounts")
struct DelayedPatternTests {
    private func property(_ values: [Double?], key: String = "hours") -> InsightInput.Property {
        var tally = ValueTally(in: FixedUTCOffset())
        for (day, value) in zip(daysBefore(values.count), values) {
            guard let value else { continue }
            tally.add(value, at: Timestamp(milliseconds: Int64(day.daysSince1970) * 86_400_000 + 43_200_000))
        }
        return InsightInput.Property(key: key, values: tally)
    }

    private func valued(_ name: String, _ values: [Double?]) -> InsightInput.History {
        var valued = history(name, values.map { $0 == nil ? 0 : 1 })
        valued.properties = [property(values)]
        return valued
    }

    /// The correlation of two series after Pearson, written as in the books.
    private func pearson(_ first: [Double], _ second: [Double]) -> Double {
        let count = Double(first.count)
        let (sx, sy) = (first.reduce(0, +), second.reduce(0, +))
        let sxy = zip(first, second).reduce(0) { $0 + $1.0 * $1.1 }
        let (sxx, syy) = (first.reduce(0) { $0 + $1 * $1 }, second.reduce(0) { $0 + $1 * $1 })
        return (count * sxy - sx * sy) / ((count * sxx - sx * sx) * (count * syy - sy * sy)).squareRoot()
    }

    @Test("what follows on the next day is found, with both shares", arguments: [180, 364])
    func follows(length: Int) async throws {
        var dice = Dice(seed: length)
        let wine = dice.days(length, chance: 0.2)
        let headache = (0..<length).map { dice.chance($0 > 0 && wine[$0 - 1] == 1 ? 0.66 : 0.07) ? 1 : 0 }
        let other = dice.days(length, chance: 0.4)
        let found = try await insights(
            input(
                history("wine", wine), history("headache", headache),
                history("other", other)))
        #expect(found.of(.correlation) == [])
        let insight = try #require(found.of(.nextDay).first)
        #expect(found.of(.nextDay).count == 1)
        #expect(insight.eventTypeIds == ["id-wine", "id-headache"])
        let figure = { (name: String) in insight.figures[name]?.doubleValue ?? -1 }
        // The days from the first event of either type on.
        let start = max(wine.firstIndex(of: 1) ?? 0, headache.firstIndex(of: 1) ?? 0)
        let pairs = zip(wine[start...], headache[(start + 1)...])
        let (days, followed) = (pairs.filter { $0.0 == 1 }, pairs.filter { $0.0 == 1 && $0.1 == 1 })
        #expect(figure("days_with_first") == Double(days.count) && figure("days_followed") == Double(followed.count))
        let others = pairs.filter { $0.0 == 0 }
        #expect(figure("days_without_first") == Double(others.count))
        let share = Int((100 * Double(followed.count) / Double(days.count)).rounded())
        #expect(
            insight.sentence.hasPrefix(
                "The day after wine you log headache more often than by chance: after \(followed.count) of "
                    + "\(days.count) days with wine (\(share) %), against "), "\(insight.sentence)")
    }

    @Test("what goes on for days and belongs together is told of the same day alone")
    func echo() async throws {
        var dice = Dice(seed: 21)
        let trip = dice.rows(364, share: 0.25, length: 4)
        let photo = trip.map { dice.chance($0 == 1 ? 0.9 : 0.05) ? 1 : 0 }
        let found = try await insights(
            input(history("trip", trip), history("photo", photo)))
        #expect(found.of(.correlation).count == 1 && found.of(.nextDay) == [])
    }

    @Test("a number that falls with the events of its day is found, with its correlation")
    func amount() async throws {
        var dice = Dice(seed: 31)
        let coffee = (0..<300).map { _ in dice.number(below: 6) }
        let sleep = coffee.map { Optional(9 - 0.7 * Double($0) + 1.4 * (dice.unit() - 0.5)) }
        let found = try await insights(
            input(valued("sleep", sleep), history("coffee", coffee)))
        let insight = try #require(found.of(.amount).first)
        #expect(found.of(.amount).count == 1)
        #expect(insight.figures["property_days_later"] == 0)
        let start = coffee.firstIndex { $0 > 0 } ?? 0
        let r = pearson(coffee[start...].map(Double.init), sleep[start...].map { $0 ?? 0 })
        #expect(r < -0.85)
        #expect(abs((insight.figures["correlation"]?.doubleValue ?? 0) - r) < 1e-9)
        #expect((insight.figures["strength"]?.doubleValue ?? 0) < -0.7)
        #expect(
            insight.sentence.hasPrefix("On days with more coffee, 'hours' of sleep is lower: "), "\(insight.sentence)")
    }

    @Test("what comes first is named first, be it the number or the events")
    func amountOfNextDay() async throws {
        var dice = Dice(seed: 41)
        let coffee = (0..<300).map { _ in dice.number(below: 6) }
        let night = (0..<300).map { $0 == 0 ? nil : 9 - 0.7 * Double(coffee[$0 - 1]) + 2 * (dice.unit() - 0.5) }
        let after = try await insights(
            input(valued("sleep", night), history("coffee", coffee))
        ).of(.amount)
        #expect(after.map { $0.figures["property_days_later"] } == [1])
        #expect(after.first?.sentence.hasPrefix("The day after more coffee, 'hours' of sleep is lower: ") == true)

        let hours = (0..<300).map { _ in Optional(4 + 5 * dice.unit()) }
        let cups = (0..<300).map { day in
            day == 0 ? 0 : max(0, Int((9 - (hours[day - 1] ?? 0) + 2 * (dice.unit() - 0.5)).rounded()))
        }
        let before = try await insights(
            input(valued("sleep", hours), history("cups", cups))
        ).of(.amount)
        #expect(before.map { $0.figures["property_days_later"] } == [-1])
        #expect(
            before.first?.sentence.hasPrefix("The day after a higher 'hours' of sleep, you log cups less often: ")
                == true)
    }

    @Test("one extreme day, or too few days, show nothing")
    func extremes() async throws {
        var dice = Dice(seed: 51)
        let coffee = (0..<200).map { $0 == 100 ? 50 : dice.number(below: 4) }
        let sleep = (0..<200).map { $0 == 100 ? Optional(900.0) : Optional(7 + dice.unit()) }
        let found = try await insights(
            input(valued("sleep", sleep), history("coffee", coffee)))
        #expect(found.of(.amount) == [])
        let few = (0..<200).map { $0 % 11 == 0 ? Optional(Double(coffee[$0])) : nil }
        let short = try await insights(
            input(valued("sleep", few), history("coffee", coffee)))
        #expect(short.of(.amount) == [])
    }

    @Test(
        "numbers and events without a relation give hardly a claim", arguments: ["chance", "rows", "weekdays", "rise"])
    func chance(_ shape: String) async throws {
        var found = 0
        for seed in 0..<40 {
            var dice = Dice(seed: seed)
            let length = [60, 120, 364][seed % 3]
            var level = 0.0
            let series = (0..<4).map { number in
                let values = (0..<length).map { day -> Double? in
                    let noise = dice.unit()
                    switch shape {
                    case "rows": level = 0.8 * level + noise - 0.5
                    case "weekdays": level = noise + (day % 7 < 2 ? 2 : 0)
                    case "rise": level = noise + 3 * Double(day) / Double(length)
                    default: level = noise
                    }
                    return level
                }
                let counts = values.map { value in max(0, Int(2 * (value ?? 0) + 2 * dice.unit())) }
                // The events of one type and the numbers of another have their shape alone in common.
                var shaped = history("t\(number)", counts)
                shaped.properties = [property(values)]
                return shaped
            }
            let claims = try await insights(InsightInput(histories: series, today: today))
            if !(claims.of(.amount) + claims.of(.nextDay)).isEmpty { found += 1 }
        }
        // Each of the two kinds may claim something of 1 history in 100.
        #expect(found <= 2, "\(found) of 40")
    }
}
