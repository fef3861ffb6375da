import TrendyDomain

extension CountSeries {
    /// How many events there are, and how many that is for each stretch of the calendar.
    ///
    /// - Parameter first: The first day that ever had such an event: stretches before it are shown, and do not lower
    ///   the average. Nil where all stretches count.
    func summary(since first: CalendarDay?) -> String {
        let total = FigureText.counted(self.total, "event")
        if withoutBucket > 0 {
            return "\(total), and \(FigureText.counted(withoutBucket, "all-day event")) without an hour"
        }
        let count = first.map { stretches(from: $0) } ?? buckets.count
        guard let period = grouping.period, count > 1 else { return total }
        let rate = Double(self.total) / Double(count)
        return
            "\(total) in \(FigureText.counted(count, period.rawValue)), \(FigureText.text(rate)) a \(period.rawValue)"
    }

    /// How many stretches there are from the one on that has this day.
    private func stretches(from first: CalendarDay) -> Int {
        buckets.filter { bucket in bucket.bucket.days.map { $0.upperBound >= first } ?? true }.count
    }
}
