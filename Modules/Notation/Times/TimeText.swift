package import TrendyDomain

extension LocalZone {
    /// The day: `2026-11-20`.
    package func dayText(_ moment: Timestamp) -> String { civil(moment).dayText }

    /// The hour and the minute: `14:30`.
    package func clockText(_ moment: Timestamp) -> String {
        let civil = civil(moment)
        return "\(twoDigits(civil.hour)):\(twoDigits(civil.minute))"
    }

    /// The day and the minute: `2026-11-20 14:30`, with seconds if they are not zero.
    package func minuteText(_ moment: Timestamp) -> String {
        let civil = civil(moment)
        let seconds = civil.second == 0 ? "" : ":" + twoDigits(civil.second)
        return "\(dayText(moment)) \(twoDigits(civil.hour)):\(twoDigits(civil.minute))\(seconds)"
    }

    /// The day and the second, `2026-11-20 14:30:00`, for columns.
    package func secondText(_ moment: Timestamp) -> String {
        let civil = civil(moment)
        return "\(dayText(moment)) \(clockText(moment)):\(twoDigits(civil.second))"
    }

    /// The start of an event, and its end if it has one.
    package func spanText(_ event: Event) -> String {
        let start = startText(event)
        guard let end = endText(event), end != start else { return start }
        return "\(start) to \(end)"
    }

    /// The start of an event: a day, or a day and a minute.
    package func startText(_ event: Event) -> String {
        event.isAllDay ? firstDay(of: event).description : minuteText(event.timestamp)
    }

    /// The end of an event: a day, or a day and a minute; nil if it has no end.
    package func endText(_ event: Event) -> String? {
        event.isAllDay ? lastDay(of: event)?.description : event.endDate.map(minuteText)
    }
}

extension CivilTime {
    /// The day: `2026-11-20`.
    package var dayText: String {
        let year = String(self.year)
        let padded = String(repeating: "0", count: max(0, 4 - year.count)) + year
        return "\(padded)-\(twoDigits(month))-\(twoDigits(day))"
    }
}
