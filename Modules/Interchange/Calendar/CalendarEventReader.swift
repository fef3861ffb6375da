import TrendyDomain
import TrendyNotation

/// Converts a `VEVENT` into event drafts.
@MainActor
struct CalendarEventReader {
    /// The maximum number of events of a series.
    static let seriesLimit = 10_000

    private var zones: CalendarZones
    private let outline: CalendarOutline
    private let type: String?
    private let window: CalendarSource.Window
    private var cancelled = 0
    private var outside = 0
    private var unended = 0
    private var cut = 0
    private var changes = ClockChanges()
    /// The titles of events in unknown time zones, by the names of the zones.
    private var strange: [String: [String]] = [:]
    /// The remarks without those of the present row.
    private var before: (changes: ClockChanges, strange: [String: [String]]) = (ClockChanges(), [:])

    init(outline: CalendarOutline, type: String?, window: CalendarSource.Window) {
        self.outline = outline
        zones = outline.zones
        self.type = type
        self.window = window
    }

    /// The remarks, as sentences.
    var remarks: [String] {
        var remarks: [String] = []
        if cancelled > 0 { remarks.append("\(counted(cancelled, "cancelled event")) left out") }
        if outside > 0 { remarks.append("\(counted(outside, "event")) before --from or after --to left out") }
        if unended > 0 {
            remarks.append(
                "\(counted(unended, "series", "series")) without an end taken up to now; --to DATE sets another end")
        }
        if cut > 0 { remarks.append("\(counted(cut, "event")) with a text that was too long and is cut") }
        return remarks + changes.remarks + strange.sorted { $0.key < $1.key }.map(Self.remark)
    }

    private static func remark(_ zone: String, _ titles: [String]) -> String {
        let shown = titles.prefix(3).joined(separator: ", ") + (titles.count > 3 ? ", …" : "")
        let verb = titles.count == 1 ? "has times" : "have times"
        return "\(counted(titles.count, "event")) \(verb) in the unknown time zone '\(zone)', read in the time zone of "
            + "this device: \(shown)"
    }

    /// Starts a row, which may be bad.
    mutating func begin() {
        before = (changes, strange)
        // The outline has already read times.
        _ = zones.takeUnknown()
    }

    /// Drops the remarks of the present row, which is not imported.
    mutating func takeBack() { (changes, strange) = before }

    /// The events of a `VEVENT`.
    ///
    /// - Throws: ``RowError``.
    mutating func events(_ lines: [ContentLine]) throws -> [ImportedEvent] {
        let events = try read(lines)
        if !events.isEmpty {
            let title =
                lines.first { $0.name == "SUMMARY" }.map { CalendarText.singleLine($0.text) } ?? "without a title"
            for zone in zones.takeUnknown() { strange[CalendarText.singleLine(zone), default: []].append(title) }
        }
        return events
    }

    private mutating func read(_ lines: [ContentLine]) throws -> [ImportedEvent] {
        let fields = Dictionary(lines.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        if fields["STATUS"]?.value.uppercased() == "CANCELLED" {
            cancelled += 1
            return []
        }
        guard let line = fields["DTSTART"] else { throw RowError("the event has no DTSTART") }
        let start = try CalendarTime(line.value, of: line, zones: &zones)
        let (draft, isCut) = try describe(fields, start)
        if isCut { cut += 1 }
        let length = try Length(fields, start: start, zones: &zones)
        let uid = fields["UID"]?.value ?? ""
        if let recurrence = fields["RECURRENCE-ID"] {
            guard recurrence.parameters["RANGE"] == nil else {
                throw RowError("RECURRENCE-ID with RANGE is not supported")
            }
            let place = try CalendarTime(recurrence.value, of: recurrence, zones: &zones)
            return one(named(draft, uid, place, at: start), start, length)
        }
        guard lines.contains(where: { $0.name == "RRULE" || $0.name == "RDATE" }) else {
            return one(named(draft, uid, nil, at: start), start, length)
        }
        if lines.contains(where: { $0.name == "EXRULE" }) { throw RowError("EXRULE is not supported") }
        return try series(lines, draft, start, length, uid)
    }

    private mutating func one(
        _ draft: EventDraft, _ start: CalendarTime, _ length: Length
    ) -> [ImportedEvent] {
        guard isWanted(start.moment) else {
            outside += 1
            return []
        }
        start.note(in: &changes)
        return [.draft(length.applied(to: draft, start))]
    }

    private func isWanted(_ moment: Timestamp) -> Bool {
        moment >= window.from ?? .earliest && moment <= window.to ?? .latest
    }

    // MARK: Series

    private mutating func series(
        _ lines: [ContentLine], _ draft: EventDraft, _ start: CalendarTime, _ length: Length, _ uid: String
    ) throws -> [ImportedEvent] {
        var times: [String: CalendarTime] = [:]
        for line in lines where line.name == "RRULE" { try expand(line, start, into: &times) }
        if !lines.contains(where: { $0.name == "RRULE" }) { times[start.key] = start }
        for line in lines where line.name == "RDATE" {
            for value in line.value.split(separator: ",") {
                // The text of a period begins with its start.
                let first = value.split(separator: "/").first.map(String.init) ?? ""
                let time = try CalendarTime(first, of: line, zones: &zones)
                if isWanted(time.moment) { times[time.key] = time }
            }
        }
        for line in lines where line.name == "EXDATE" {
            for value in line.value.split(separator: ",") {
                times[try CalendarTime(String(value), of: line, zones: &zones).key] = nil
            }
        }
        for key in outline.replaced[uid] ?? [] { times[key] = nil }
        let wanted = times.values.filter { isWanted($0.moment) }.sorted { $0.moment < $1.moment }
        for time in wanted { time.note(in: &changes) }
        return wanted.map { .draft(length.applied(to: named(draft, uid, $0, at: $0), $0)) }
    }

    private mutating func expand(
        _ line: ContentLine, _ start: CalendarTime, into times: inout [String: CalendarTime]
    ) throws {
        let rule = try RecurrenceRule(line.value)
        let isEndless = rule.count == nil && rule.until == nil
        if isEndless && window.to == nil { unended += 1 }
        let last = window.to ?? (isEndless ? window.now : .latest)
        // One day of tolerance, because offsets change during the year.
        let end = start.civil(at: last).advanced(byDays: 1)
        let begin = window.from.map { start.civil(at: $0).advanced(byDays: -1) }
        var recurrence = Recurrence(rule, from: start.civil, begin: begin, end: end)
        while let civil = try recurrence.next() {
            let time = start.showing(civil)
            if let until = rule.until, isAfter(time, until) { break }
            if time.moment > last { break }
            guard isWanted(time.moment) else { continue }
            times[time.key] = time
            if times.count > Self.seriesLimit {
                throw RowError(
                    "the series has more than \(Self.seriesLimit) events; limit it with --from and --to")
            }
        }
    }

    /// Whether a time is after the end of a rule: a day, a moment, or a time of the start's clock.
    private func isAfter(_ time: CalendarTime, _ until: CompactTime) -> Bool {
        if until.isDay { return time.civil.dayNumber > until.civil.dayNumber }
        if let moment = until.utcMoment, !time.isDay { return time.moment > moment }
        return time.civil.localMilliseconds > until.civil.localMilliseconds
    }

    // MARK: Fields

    /// - Returns: The event without its time, and whether one of its texts was cut.
    private func describe(
        _ fields: [String: ContentLine], _ start: CalendarTime
    ) throws -> (draft: EventDraft, isCut: Bool) {
        var isCut = false
        let fit = { (text: String, limit: Int) in
            if text.count > limit { isCut = true }
            return text.count > limit ? text.prefix(limit - 1) + "…" : text
        }
        let title = CalendarText.singleLine(fields["SUMMARY"]?.text ?? "")
        let category = fields["CATEGORIES"]?.texts.map(CalendarText.singleLine).first { !$0.isEmpty }
        let name = outline.name.map(CalendarText.singleLine).flatMap { $0.isEmpty ? nil : $0 }
        let label = type ?? fit(category ?? name ?? "calendar", CalendarText.nameLimit)
        var draft = EventDraft(type: label, timestamp: start.moment, identity: .named(""))
        draft.isAllDay = start.isDay
        var notes = fields["DESCRIPTION"].map(\.text).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        if title.count > CalendarText.titleLimit {
            notes = [title, notes].compactMap(\.self).joined(separator: "\n\n")
        }
        if title.lowercased() != draft.type.lowercased() { draft.originalTitle = fit(title, CalendarText.titleLimit) }
        draft.notes = notes.map { fit($0, CalendarText.noteLimit) }
        draft.locationName = fields["LOCATION"].map { fit(CalendarText.singleLine($0.text), CalendarText.placeLimit) }
        if let line = fields["GEO"] {
            let parts = line.value.split(separator: ";").map { NumberText.parse(String($0)) }
            guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
                throw RowError("'\(line.value)' in GEO is not a position like 52.5;13.4")
            }
            (draft.latitude, draft.longitude) = (latitude, longitude)
        }
        return (draft, isCut)
    }

    /// A draft with its external ids.
    private func named(
        _ draft: EventDraft, _ uid: String, _ place: CalendarTime?, at start: CalendarTime
    ) -> EventDraft {
        var draft = draft
        let name = externalId(uid, place?.name, draft, start.name)
        let earlier = externalId(uid, place?.key, draft, start.key)
        draft.identity = .named(name)
        // Earlier versions used the moment in the zone of the import for times without a zone.
        draft.otherIdentity = earlier == name ? nil : .named(earlier)
        draft.momentOfId = start.momentOfId
        return draft
    }

    /// The external id: the UID, with the place in the series; without a UID a hash of the content.
    private func externalId(_ uid: String, _ key: String?, _ draft: EventDraft, _ start: String) -> String {
        // A Trendy export has the ids of events as UIDs.
        if key == nil, let id = UUIDv7(uid) { return id.description }
        var hash = Hash128()
        hash.add(uid.utf8)
        if uid.isEmpty {
            hash.add((draft.originalTitle ?? draft.type).utf8)
            hash.add(start.utf8)
        }
        let short = uid.isEmpty || uid.utf8.count > 300 ? hash.hex : uid
        return "ics:\(short)" + (key.map { "#\($0)" } ?? "")
    }
}

extension CalendarEventReader {
    /// The duration of an event.
    struct Length {
        private var days = 0
        private var milliseconds: Int64 = 0

        /// - Throws: ``RowError``.
        @MainActor
        init(
            _ fields: [String: ContentLine], start: CalendarTime, zones: inout CalendarZones
        ) throws(RowError) {
            if let line = fields["DTEND"] {
                let end = try CalendarTime(line.value, of: line, zones: &zones)
                // The end of an all-day event is the day after the last one.
                if start.isDay {
                    days = max(0, end.civil.dayNumber - start.civil.dayNumber - 1)
                } else {
                    milliseconds = end.moment.milliseconds - start.moment.milliseconds
                }
                guard milliseconds >= 0 else { throw RowError("the event ends before it begins") }
            } else if let line = fields["DURATION"] {
                guard let length = CalendarDuration(line.value), length.days >= 0, length.seconds >= 0 else {
                    throw RowError("'\(line.value)' in DURATION is not a duration")
                }
                days = start.isDay ? max(0, length.days - 1) : length.days
                milliseconds = Int64(length.seconds) * 1000
            }
        }

        /// The draft with one of the times of its series.
        func applied(to draft: EventDraft, _ start: CalendarTime) -> EventDraft {
            var draft = draft
            draft.timestamp = start.moment
            if days > 0 || milliseconds > 0 {
                let day = start.showing(start.civil.advanced(byDays: days))
                draft.endDate = day.moment.advanced(byMilliseconds: milliseconds)
            }
            return draft
        }
    }
}

/// Limits and converts texts of calendars.
enum CalendarText {
    /// The maximum lengths of names, titles, notes and locations. Longer texts are cut, because people cannot easily shorten
    /// them in the file of another program.
    static let (nameLimit, titleLimit, noteLimit, placeLimit) = (100, 1_000, Event.noteLimit, 500)

    /// A title, a name or a location on one line, as some programs wrap long ones.
    static func singleLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
