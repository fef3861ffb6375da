package import TrendyDomain
package import TrendyNotation

/// Reads the events of an iCalendar file (RFC 5545); series become single events.
@MainActor
package struct CalendarSource: ImportSource {
    /// The period of the imported events.
    package struct Window {
        /// The start; nil for no limit.
        package var from: Timestamp?
        /// The end; nil for no limit.
        package var to: Timestamp?
        /// The end of series without an end, if no end is given.
        package var now: Timestamp

        package init(from: Timestamp? = nil, to: Timestamp? = nil, now: Timestamp) {
            self.from = from
            self.to = to
            self.now = now
        }
    }

    private var lines: ContentLineReader
    private var reader: CalendarEventReader

    /// - Parameters:
    ///   - type: The type of all events, instead of their categories.
    ///   - zone: The zone of times without a zone.
    ///   - step: Called for each line before the first event; an error stops the reading.
    ///   - open: Opens the file at its start; called twice.
    package init(
        type: String?, window: Window, zone: LocalZone, step: () throws -> Void, _ open: () throws -> any ByteSource
    ) throws {
        let outline = try CalendarOutline(try open(), local: zone, step)
        lines = ContentLineReader(try open())
        reader = CalendarEventReader(outline: outline, type: type, window: window)
    }

    package var remarks: [String] { reader.remarks }

    package mutating func refuseLast() { reader.takeBack() }

    package mutating func next() throws -> ImportRow? {
        reader.begin()
        while let next = try lines.next() {
            switch next {
            case .failure(let problem): return ImportRow(line: problem.line) { throw RowError(problem.message) }
            case .success(let line) where line.name == "BEGIN" && line.value.uppercased() == "VEVENT":
                return try event(from: line)
            default: continue
            }
        }
        return nil
    }

    private mutating func event(from begin: ContentLine) throws -> ImportRow {
        var content: [ContentLine] = []
        var problem: CSVError?
        var depth = 1
        while depth > 0, let next = try lines.next() {
            switch next {
            case .failure(let found): problem = problem ?? found
            case .success(let line):
                if line.name == "BEGIN" { depth += 1 }
                if line.name == "END" { depth -= 1 }
                // The properties of an alarm do not belong to the event.
                if depth == 1 { content.append(line) }
            }
        }
        if let problem { return ImportRow(line: problem.line) { throw RowError(problem.message) } }
        return ImportRow(line: begin.line) { try reader.events(content) }
    }
}

/// The parts of a calendar that are needed before its events: its time zones, its name, and the occurrences of series
/// that have their own events.
@MainActor
struct CalendarOutline {
    private(set) var zones: CalendarZones
    /// The calendar's name.
    private(set) var name: String?
    /// The keys of replaced occurrences, by the UID of the series.
    private(set) var replaced: [String: Set<String>] = [:]

    /// Reads the whole file once.
    ///
    /// - Parameter step: Called for each line; an error stops the reading.
    /// - Throws: ``InputError`` if the file is not a calendar or is incomplete.
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
                throw InputError.data(
                    "line \(line.line): this is not a calendar: it does not begin with BEGIN:VCALENDAR")
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
        guard hasBegun else { throw InputError.data("the file is empty; a calendar begins with BEGIN:VCALENDAR") }
        guard path.isEmpty else {
            throw InputError.data(
                "the file ends within \(path.joined(separator: ", ")) and is incomplete; export it again")
        }
        for (uid, line) in recurrences {
            guard let time = try? CalendarTime(line.value, of: line, zones: &zones) else { continue }
            replaced[uid, default: []].insert(time.key)
        }
    }
}
