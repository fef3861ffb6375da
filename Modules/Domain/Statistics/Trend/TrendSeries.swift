/// Values over time, their moving average, and where they are going.
public struct TrendSeries: Sendable, Hashable {
    /// One stretch of time and its value.
    public struct Point: Sendable, Hashable {
        /// The stretch.
        public let bucket: TimeBucket
        /// Its value; nil where there is none, as the mean of no values.
        public let value: Double?
        /// The mean of the values of this point and those before it, as many as the window has, without those that are
        /// not complete; nil before the first full window and where the window has no such value.
        public let movingAverage: Double?
        /// False for a stretch that began before the first day looked at, or that is not over today.
        public let isComplete: Bool
    }

    /// The length of the stretches.
    public let period: CalendarPeriod
    /// What the value of a stretch is made from those of its events.
    public let aggregation: Aggregation
    /// How many stretches the moving average takes together.
    public let window: Int
    /// The points in order of time, without a gap.
    public let points: [Point]
    /// Where the values of the complete stretches are going.
    public let direction: TrendDirection

    /// The days in a week, the weeks in about a month, the months in a quarter.
    public static func usualWindow(for period: CalendarPeriod) -> Int {
        switch period {
        case .day: 7
        case .week: 4
        case .month: 3
        }
    }

    /// Computes the series over the days from the first to today.
    init(
        period: CalendarPeriod, weekStart: Weekday, aggregation: Aggregation, days: ClosedRange<CalendarDay>?,
        today: CalendarDay, window: Int?, value: (ClosedRange<CalendarDay>) -> Double?
    ) {
        self.period = period
        self.aggregation = aggregation
        let window = max(1, window ?? Self.usualWindow(for: period))
        self.window = window
        let stretches = days.map { range in
            period.buckets(covering: range, weekStart: weekStart).map { bucket in
                let span = bucket.days ?? range
                return (
                    bucket, value(span.clamped(to: range)),
                    range.lowerBound <= span.lowerBound
                        && span.upperBound < today
                )
            }
        }
        let buckets = stretches ?? []
        // A week that has just begun would look like a fall.
        let averages = Self.movingAverages(buckets.map { $0.2 ? $0.1 : nil }, window: window)
        points = zip(buckets, averages).map { bucket, average in
            Point(bucket: bucket.0, value: bucket.1, movingAverage: average, isComplete: bucket.2)
        }
        direction = TrendDirection(
            points.lazy.filter(\.isComplete).compactMap(\.value),
            zeroIsNothing: aggregation == .sum || aggregation == .count)
    }

    private static func movingAverages(_ values: [Double?], window: Int) -> [Double?] {
        values.indices.map { index in
            guard index + 1 >= window else { return nil }
            // Added up anew for each point: a running sum would carry rounding errors along.
            let present = values[(index + 1 - window)...index].compactMap { $0 }
            return present.isEmpty ? nil : present.mean
        }
    }
}

extension EventTally {
    /// How many events there were over time.
    ///
    /// - Parameters:
    ///   - period: The length of the stretches that are counted.
    ///   - first: The first day looked at; by default the first day with an event.
    ///   - today: The last day looked at. It and the stretch that has it are not complete.
    ///   - window: How many stretches the moving average takes together; by default
    ///     ``TrendSeries/usualWindow(for:)``.
    public func trend(
        by period: CalendarPeriod, from first: CalendarDay? = nil, today: CalendarDay, window: Int? = nil
    ) -> TrendSeries {
        TrendSeries(
            period: period, weekStart: days.weekStart, aggregation: .sum, days: days.days.range(from: first, to: today),
            today: today,
            window: window
        ) { Double(days.total(in: $0)) }
    }
}

extension ValueTally {
    /// What became of the values over time.
    ///
    /// - Parameters:
    ///   - period: The length of the stretches whose values are taken together.
    ///   - aggregation: How they are taken together.
    ///   - first: The first day looked at; by default the first day with a value.
    ///   - today: The last day looked at. It and the stretch that has it are not complete.
    ///   - window: How many stretches the moving average takes together; by default
    ///     ``TrendSeries/usualWindow(for:)``.
    public func trend(
        by period: CalendarPeriod, aggregation: Aggregation, from first: CalendarDay? = nil, today: CalendarDay,
        window: Int? = nil
    ) -> TrendSeries {
        TrendSeries(
            period: period, weekStart: weekStart, aggregation: aggregation, days: days.range(from: first, to: today),
            today: today, window: window
        ) { value(in: $0, aggregation: aggregation) }
    }
}

extension ClosedRange<CalendarDay>? {
    /// From the given first day, or that of the data, to today; nil where there is no data up to then.
    fileprivate func range(from first: CalendarDay?, to today: CalendarDay) -> ClosedRange<CalendarDay>? {
        guard let days = self, days.lowerBound <= today else { return nil }
        let start = first ?? days.lowerBound
        return start <= today ? start...today : nil
    }
}
