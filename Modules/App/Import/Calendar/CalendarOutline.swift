import TrendyNotation
import TrendyTerminal

/// What must be known of a calendar before its events are read: the time zones that it describes, its name, and which
/// occurrences of a series have an event of their own.
@MainActor
struct CalendarOutline {
    private(set) var zones: CalendarZones
    /// The calendar's name.
    private(set) var name: String?
    /// Keys of the occurrences that are replaced, by the UID of their series.
    private(set) var replaced: [String: Set<String>] = [:]

    /// Reads the whole file once.
    ///
    /// - Parameter step: Called for each line; what it throws ends the reading.
    /// - Throws: ``CommandFailure`` where it is no calendar or ends too soon.
    init(_ source: any ByteSource, local: LocalZone, _ step: () throws -> Void = {}) throws {
        zones = CalendarZones(local: local)
        var lines = ContentLineReader(source)
        var path: [String] = []
        var zone: (name: String, observances: [[ContentLine]]) = ("", [])
        var uid = ""
        var recurrences: [(uid: String, line: ContentLine)] = []
        var recurrence: ContentLine?
        var hasBegun = false
        while let next = try lines.next() {
            try step()
            guard case .success(let line) = next else { continue }
            guard hasBegun || line.name == "BEGIN" && line.value.uppercased() == "VCALENDAR" else {
                throw CommandFailure.data(
                    "line \(line.line): this is no calendar: it does not begin with BEGIN:VCALENDAR")
            }
            hasBegun = true
            switch (line.name, path.last) {
            case ("BEGIN", _):
                path.append(line.value.uppercased())
                if path.last == "VTIMEZONE" { zone = ("", []) }
                if path.last == "STANDARD" || path.last == "DAYLIGHT" { zone.observances.append([]) }
                if path.last == "VEVENT" { (uid, recurrence) = ("", nil) }
            case ("END", _):
                let ended = path.popLast()
                if ended == "VTIMEZONE" { zones.described[zone.name] = zone.observances }
                if ended == "VEVENT", let recurrence { recurrences.append((uid, recurrence)) }
            case ("TZID", "VTIMEZONE"): zone.name = line.value
            case (_, "STANDARD"), (_, "DAYLIGHT"):
                if !zone.observances.isEmpty { zone.observances[zone.observances.count - 1].append(line) }
            case ("UID", "VEVENT"): uid = line.value
            case ("RECURRENCE-ID", "VEVENT"): recurrence = line
            case ("X-WR-CALNAME", "VCALENDAR"), ("NAME", "VCALENDAR"): name = line.text
            default: break
            }
        }
        guard hasBegun else { throw CommandFailure.data("the file is empty; a calendar begins with BEGIN:VCALENDAR") }
        guard path.isEmpty else {
            throw CommandFailure.data("the file ends within \(path.joined(separator: ", ")); is it whole?")
        }
        for (uid, line) in recurrences {
            guard let time = try? CalendarTime(line.value, of: line, zones: &zones) else { continue }
            replaced[uid, default: []].insert(time.key)
        }
    }
}
