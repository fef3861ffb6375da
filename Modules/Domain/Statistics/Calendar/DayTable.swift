/// A value for each day, kept side by side from the first day to the last that has one.
///
/// It grows in both directions in amortised constant time: events come newest first as often as oldest first.
struct DayTable<Value: Sendable>: Sendable {
    /// What a day has that was never updated.
    let empty: Value
    /// The day, since 1970, of the first value.
    private(set) var base = 0
    private(set) var values: [Value] = []

    init(empty: Value) {
        self.empty = empty
    }

    subscript(day: Int) -> Value {
        let index = day - base
        return index >= 0 && index < values.count ? values[index] : empty
    }

    mutating func update(_ day: Int, _ change: (inout Value) -> Void) {
        if values.isEmpty {
            base = day
            values.append(empty)
        }
        if day < base {
            // As many again as there are, so that a series of ever earlier days does not move all of them each time.
            let room = max(base - day, values.count)
            values.insert(contentsOf: repeatElement(empty, count: room), at: 0)
            base -= room
        } else if day - base >= values.count {
            values.append(contentsOf: repeatElement(empty, count: day - base - values.count + 1))
        }
        change(&values[day - base])
    }
}
