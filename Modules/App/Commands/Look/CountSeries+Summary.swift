import TrendyDomain

extension CountSeries {
    /// How many events there are, and how many that is for each stretch of the calendar.
    var summary: String {
        let total = FigureText.counted(self.total, "event")
        if withoutBucket > 0 {
            return "\(total), and \(FigureText.counted(withoutBucket, "all-day event")) without an hour"
        }
        guard let period = grouping.period, buckets.count > 1 else { return total }
        let rate = Double(self.total) / Double(buckets.count)
        return
            "\(total) in \(FigureText.counted(buckets.count, period.rawValue)), \(FigureText.text(rate)) a \(period.rawValue)"
    }
}
