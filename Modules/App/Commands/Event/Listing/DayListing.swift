import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// Events under the headings of their days.
///
/// It handles one event at a time, so that memory does not grow with the number of events.
@MainActor
struct DayListing {
    private let text: EventText
    private let screen: Screen
    private let today: CivilTime
    private let nameWidth: Int
    /// The columns of what stands before the name of a type: its icon, or a mark in its colour.
    private let markWidth: Int
    private let showsAgo: Bool
    /// The ids of the timers among the events.
    var timers: Set<String> = []
    private var day: CivilTime?

    private static let clockWidth = 7
    private static let roomyWidth = 60

    /// - Parameter filter: The filter that selected the events.
    init(_ text: EventText, _ screen: Screen, _ filter: EventFilter) {
        self.text = text
        self.screen = screen
        let today = text.zone.civil(text.now).startOfDay
        self.today = today
        let widest = screen.limit.map { max(8, $0 / 4) } ?? 30
        let faces = text.faces(of: filter.eventTypeIds)
        nameWidth = min(30, widest, max(4, faces.map(\.name.columns).max() ?? 0))
        markWidth = max(TypeFace.iconWidth(faces, on: screen), screen.style.isOn ? 2 : 0)
        let reachesToday = filter.until.map { $0 > text.zone.moment(today) } ?? true
        showsAgo = reachesToday && screen.limit.map { $0 >= Self.roomyWidth } ?? true
    }

    /// The line of an event; the heading of its day comes before the day's first event.
    mutating func lines(_ record: LocalRecord<Event>) -> [String] {
        lines(record, on: CivilTime(text.zone.firstDay(of: record.entity)))
    }

    /// The lines of an event on a later one of its days.
    mutating func lines(_ record: LocalRecord<Event>, on day: CivilTime) -> [String] {
        heading(day) + [line(record)]
    }

    /// The heading of a day; empty if it was shown.
    mutating func heading(_ next: CivilTime) -> [String] {
        if day == next { return [] }
        defer { day = next }
        var line = LineBuilder(screen)
        line.add(title(next)) { screen.style.bold($0) }
        return day == nil ? [line.line] : ["", line.line]
    }

    /// The line of a day without events.
    func nothing() -> String {
        var line = LineBuilder(screen)
        line.skip(2)
        line.add("nothing") { screen.style.faint($0) }
        return line.line
    }

    private func title(_ day: CivilTime) -> String {
        let name = "\(day.weekdayName) \(day.dayText)"
        switch day.dayNumber - today.dayNumber {
        case 0: return "Today, \(name)"
        case -1: return "Yesterday, \(name)"
        case 1: return "Tomorrow, \(name)"
        default: return name
        }
    }

    private func line(_ record: LocalRecord<Event>) -> String {
        let event = record.entity
        let style = screen.style
        let goesOn = day.map { $0 != CivilTime(text.zone.firstDay(of: event)) } ?? false
        var line = LineBuilder(screen)
        line.skip(2)
        line.add(ShortId.of(event.id), width: ShortId.length) { style.faint($0) }
        line.skip(2)
        let clock = goesOn ? "goes on" : text.zone.clockText(event.timestamp)
        line.add(event.isAllDay ? "all day" : clock, width: Self.clockWidth)
        line.skip(2)
        if showsAgo {
            let isToday = day == today && !event.isAllDay && !goesOn
            line.add(isToday ? RelativeTime.text(event.timestamp, now: text.now) : "", width: RelativeTime.width) {
                style.faint($0)
            }
            line.skip(2)
        }
        let face = text.face(event)
        if markWidth > 0 {
            let mark = style.isOn ? screen.glyphs.bullet : ""
            line.add(markWidth > 2 ? face?.icon ?? mark : mark, width: markWidth) { style.colored($0, face?.color) }
        }
        // The text that replaces an unknown name must not be cut.
        line.add(text.typeName(event), width: face == nil ? nil : nameWidth)
        line.skip(2)
        line.add(details(record).joined(separator: "  "))
        return line.line
    }

    private func details(_ record: LocalRecord<Event>) -> [String] {
        let event = record.entity
        var details: [String] = []
        if record.syncStatus == .failed { details.append("(refused, see 'trendy queue list')") }
        if timers.contains(event.id) { details.append("(running)") }
        if let end = text.end(event) {
            details.append(text.duration(event).map { "\($0), until \(end)" } ?? "until \(end)")
        }
        details += text.properties(event)
        if let name = event.locationName { details.append("@ \(TextTable.singleLine(name))") }
        let notes = event.notes.map(TextTable.singleLine)
        // The title of an imported event; a note may begin with it, or have the whole of a title that was cut.
        if let title = event.originalTitle.map(TextTable.singleLine) {
            let beginning = title.hasSuffix("…") ? title.dropLast() : title[...]
            if notes?.hasPrefix(beginning) != true { details.append(title) }
        }
        if let notes { details.append(notes) }
        return details
    }
}
