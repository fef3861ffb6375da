import TrendyDomain

/// The day that the questions of these tests are asked on, a Saturday.
let today = CalendarDay(daysSince1970: 20_778)

/// The days before `today` on which histories are made: the last one is yesterday.
func daysBefore(_ length: Int) -> [CalendarDay] {
    (0..<length).map { today.advanced(by: $0 - length) }
}

/// A history whose last count is that of yesterday, or of today where there is one for it.
func history(_ name: String, _ counts: [Int], today countToday: Int = 0) -> InsightInput.History {
    var days = DayCounts()
    for (day, count) in zip(daysBefore(counts.count), counts) { days.add(count, on: day) }
    days.add(countToday, on: today)
    return InsightInput.History(eventTypeId: "id-\(name)", name: name, days: days)
}

func input(_ histories: InsightInput.History...) -> InsightInput {
    InsightInput(histories: histories, today: today)
}

func insights(_ input: InsightInput) async throws -> [Insight] {
    try await StatisticalInsightGenerator().generate(from: input)
}

extension [Insight] {
    func of(_ kind: InsightKind) -> [Insight] { filter { $0.kind == kind } }

    /// Those that say that there is more to the data than chance.
    var claims: [Insight] { filter { $0.kind != .streak && $0.kind != .tooLittleData } }
}

extension Dice {
    /// So many days on each of which something is logged with the same chance.
    mutating func days(_ count: Int, chance: Double) -> [Int] {
        (0..<count).map { _ in self.chance(chance) ? 1 : 0 }
    }

    /// Days in rows: once something is logged it is for so many days on average.
    mutating func rows(_ count: Int, share: Double, length: Double) -> [Int] {
        let ends = 1 / length
        let begins = ends * share / (1 - share)
        var isOn = chance(share)
        return (0..<count).map { _ in
            isOn = isOn ? !chance(ends) : chance(begins)
            return isOn ? 1 : 0
        }
    }
}
