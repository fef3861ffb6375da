import Testing
import TrendyDomain

/// Histories without a pattern. What is claimed of them is false, so that there must be next to nothing.
@Suite("insights into chance")
struct RandomHistoryTests {
    /// How many of the histories have a claim of each kind.
    private func claims(
        histories: Int = 80, _ make: (inout Dice, Int) -> [[Int]]
    ) async throws -> [InsightKind: Int] {
        var found: [InsightKind: Int] = [:]
        for seed in 0..<histories {
            var dice = Dice(seed: seed)
            let length = [45, 90, 200, 364][seed % 4]
            let series = make(&dice, length).enumerated().map { history("t\($0)", $1) }
            let claims = try await insights(InsightInput(histories: series, today: today)).claims
            for kind in Set(claims.map(\.kind)) { found[kind, default: 0] += 1 }
        }
        return found
    }

    @Test("days that are logged by chance give hardly a claim")
    func independentDays() async throws {
        let found = try await claims { dice, length in
            (0..<(2 + dice.number(below: 6))).map { _ in
                let chance = 0.03 + 0.9 * dice.unit()
                return dice.days(length, chance: chance)
            }
        }
        #expect(found.values.reduce(0, +) <= 3)
    }

    @Test("several events a day by chance give hardly a claim")
    func severalADay() async throws {
        let found = try await claims { dice, length in
            (0..<5).map { _ in
                let (chance, most) = (0.2 + 0.8 * dice.unit(), 1 + dice.number(below: 8))
                return (0..<length).map { _ in dice.chance(chance) ? 1 + dice.number(below: most) : 0 }
            }
        }
        #expect(found.values.reduce(0, +) <= 3)
    }

    @Test("what is done for some days in a row, each for itself, gives hardly a claim of belonging together")
    func rows() async throws {
        for row in [3.0, 8, 15] {
            let found = try await claims(histories: 48) { dice, length in
                (0..<5).map { _ in
                    let share = 0.1 + 0.5 * dice.unit()
                    return dice.rows(length, share: share, length: row)
                }
            }
            #expect((found[.correlation] ?? 0) + (found[.weekday] ?? 0) <= 2)
            // The longer the rows, the fewer gaps there are to know the usual ones from.
            if row == 3 { #expect((found[.gap] ?? 0) <= 3) }
        }
    }

    @Test("things that are done on the same weekdays do not seem to belong together for that")
    func sharedWeekdays() async throws {
        let found = try await claims(histories: 48) { dice, length in
            (0..<5).map { _ in (0..<length).map { dice.chance($0 % 7 < 2 ? 0.7 : 0.15) ? 1 : 0 } }
        }
        #expect((found[.correlation] ?? 0) <= 2)
        #expect((found[.weekday] ?? 0) >= 30)
    }

    @Test("things that all became more frequent do not seem to belong together for that")
    func sharedTrend() async throws {
        let found = try await claims(histories: 48) { dice, length in
            (0..<5).map { _ in
                (0..<length).map { dice.chance(0.05 + 0.7 * Double($0) / Double(length)) ? 1 : 0 }
            }
        }
        #expect((found[.correlation] ?? 0) <= 2)
    }

    @Test("weeks in which nothing was logged do not make everything seem to belong together")
    func holidays() async throws {
        let found = try await claims(histories: 48) { dice, length in
            let start = 10 + dice.number(below: 15)
            return (0..<5).map { _ in
                let chance = 0.2 + 0.5 * dice.unit()
                return (0..<length).map { day in
                    (day % 60 < start || day % 60 > start + 12) && dice.chance(chance) ? 1 : 0
                }
            }
        }
        #expect((found[.correlation] ?? 0) <= 2)
    }
}
