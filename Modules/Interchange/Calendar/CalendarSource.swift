package import TrendyDomain
package import TrendyNotation

/// Gives the events of an iCalendar file (RFC 5545), with series as the single events that they stand for.
@MainActor
package struct CalendarSource: ImportSource {
    /// Which events are wanted.
    package struct Window {
        /// Nothing before it.
        package var from: Timestamp?
        /// Nothing after it.
        package var to: Timestamp?
        /// Where no end is given, a series that goes on ends here.
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
    ///   - type: The type of all events, in place of their categories.
    ///   - zone: The zone of times that name none.
    ///   - step: Called for each line before the first event; what it throws ends the reading.
    ///   - open: Begins to read the file from its start; called twice.
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
            case .failure(let problem): return ImportRow(line: problem.line) { throw RowProblem(problem.message) }
            case .success(let line) where line.name == "BEGIN" && line.value.uppercased() == "VEVENT":
                return try event(from: line)
            default: continue
            }
        }
        return nil
    }

    private mutating func event(from begin: ContentLine) throws -> ImportRow {
        var content: [ContentLine] = []
        var problem: CSVProblem?
        var depth = 1
        while depth > 0, let next = try lines.next() {
            switch next {
            case .failure(let found): problem = problem ?? found
            case .success(let line):
                if line.name == "BEGIN" { depth += 1 }
                if line.name == "END" { depth -= 1 }
                // What is within an alarm is not the event's.
                if depth == 1 { content.append(line) }
            }
        }
        if let problem { return ImportRow(line: problem.line) { throw RowProblem(problem.message) } }
        return ImportRow(line: begin.line) { try reader.events(content) }
    }
}

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
    /// - Throws: ``InputError`` where it is no calendar or ends too soon.
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
        guard hasBegun else { throw InputError.data("the file is empty; a calendar begins with BEGIN:VCALENDAR") }
        guard path.isEmpty else {
            throw InputError.data("the file ends within \(path.joined(separator: ", ")); is it whole?")
        }
        for (uid, line) in recurrences {
            guard let time = try? CalendarTime(line.value, of: line, zones: &zones) else { continue }
            replaced[uid, default: []].insert(time.key)
        }
    }
}
