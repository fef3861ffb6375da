import TrendyDomain
package import TrendyNotation

/// Reads Daylio's CSV export.
///
/// It knows Daylio's columns since 2019, in any order: `full_date`, `time`, `mood`, `activities`, `note`, and the
/// optional `note_title` and `scales`. `date` and `weekday` repeat the date in the phone's language and are not read.
@MainActor
package struct DaylioSource<Bytes: ByteSource>: ImportSource {
    private var csv: CSVReader<Bytes>
    private let places: [String: Int]
    private let count: Int
    private let type: String
    private let splitsActivities: Bool
    private let times: WhenParser
    private var notes = TimeRemarks()

    /// Reads the first row, which names the columns.
    ///
    /// - Parameter splitsActivities: Whether each activity also becomes an event.
    /// - Throws: ``InputError`` if the file is not an export of Daylio.
    package init(_ bytes: Bytes, type: String, splitsActivities: Bool, times: WhenParser) throws {
        csv = CSVReader(bytes, delimiter: UInt8(ascii: ","))
        let names = ImportColumns.names(try csv.header()) ?? []
        places = Dictionary(names.enumerated().map { ($1.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        count = names.count
        self.type = type
        self.splitsActivities = splitsActivities
        self.times = times
        let missing = ["full_date", "time", "mood"].filter { places[$0] == nil }
        if !missing.isEmpty {
            throw InputError.data(
                "this is not a CSV export of Daylio: it has no column \(missing.joined(separator: ", "))")
        }
    }

    package mutating func next() throws -> ImportRow? {
        guard let next = try csv.next() else { return nil }
        notes.begin()
        switch next {
        case .failure(let problem): return ImportRow(line: problem.line) { throw RowError(problem.message) }
        case .success(let row): return ImportRow(line: row.line) { try events(row) }
        }
    }

    package var remarks: [String] { notes.remarks }

    package mutating func refuseLast() { notes.takeBack() }

    private mutating func events(_ row: CSVRow) throws -> [ImportedEvent] {
        guard row.count == count else {
            throw RowError("it has \(counted(row.count, "field")), but the first line has \(count)")
        }
        let mood = Names.trimmed(try text(row, "mood"))
        let activities = try text(row, "activities").split(separator: "|").map { Names.trimmed(String($0)) }
            .filter { !$0.isEmpty }
        let moment = try moment(row)
        var hash = Hash128()
        for column in ["full_date", "time", "mood", "activities", "note_title", "note"] {
            hash.add(try text(row, column).utf8)
        }
        var entry = EventDraft(type: type, timestamp: moment, identity: .content("daylio", hash))
        let notes = [try text(row, "note_title"), DaylioText.plain(try text(row, "note"))].map(Names.trimmed)
        entry.notes = notes.filter { !$0.isEmpty }.joined(separator: "\n")
        if !mood.isEmpty { entry.properties.append(("mood", .typed(.text(mood)))) }
        if !activities.isEmpty {
            entry.properties.append(("activities", .typed(.text(activities.joined(separator: ", ")))))
        }
        let scales = Names.trimmed(try text(row, "scales"))
        if !scales.isEmpty { entry.properties.append(("scales", .typed(.text(scales)))) }
        guard splitsActivities else { return [.draft(entry)] }
        return [.draft(entry)]
            + activities.map { activity in
                var own = hash
                own.add(activity.utf8)
                return .draft(EventDraft(type: activity, timestamp: moment, identity: .content("daylio", own)))
            }
    }

    private func text(_ row: CSVRow, _ column: String) throws -> String {
        guard let place = places[column] else { return "" }
        guard let text = row.text(place) else {
            throw RowError("field \(place + 1) is not UTF-8; \(RowError.conversion)")
        }
        return text
    }

    private mutating func moment(_ row: CSVRow) throws -> Timestamp {
        let day = Names.trimmed(try text(row, "full_date"))
        let clock = DaylioText.clock(try text(row, "time"))
        let written = "\(day) \(clock)"
        guard let moment = times.moment(written) else {
            throw RowError("'\(written)' is not a time; Daylio writes 2026-03-01 and 21:30 or 9:30 pm")
        }
        notes.note(times.reading(written), line: row.line, in: times.zone)
        return moment
    }
}

/// Converts texts of Daylio.
enum DaylioText {
    /// A time of day without the blanks and dots that some languages have before am and pm.
    static func clock(_ text: String) -> String {
        text.lowercased().filter { !$0.isWhitespace && $0 != "\u{202F}" && $0 != "." }
    }

    /// A note without HTML tags.
    static func plain(_ text: String) -> String {
        guard text.contains("<") || text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let character = rest.first {
            if character == "<", let end = rest.firstIndex(of: ">") {
                let name = rest[rest.index(after: rest.startIndex)..<end].lowercased()
                guard let meaning = meaning(ofTag: name) else {
                    result.append(rest.removeFirst())
                    continue
                }
                // A block begins on its own line.
                let isBlock = meaning.isEmpty && ["p", "div"].contains { name == $0 || name.hasPrefix("\($0) ") }
                result += isBlock && !result.isEmpty && !result.hasSuffix("\n") ? "\n" : meaning
                rest = rest[rest.index(after: end)...]
            } else if character == "&", let end = rest.prefix(10).firstIndex(of: ";"),
                let meaning = meaning(ofEntity: rest[rest.index(after: rest.startIndex)..<end])
            {
                result.append(meaning)
                rest = rest[rest.index(after: end)...]
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }

    /// The text that replaces a tag; nil if it is not a tag.
    private static func meaning(ofTag tag: String) -> String? {
        let isClosing = tag.hasPrefix("/")
        let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
        switch name {
        case "br": return "\n"
        case "p", "div", "li": return isClosing ? "\n" : name == "li" ? "- " : ""
        case "b", "strong", "i", "em", "u", "s", "strike", "span", "font", "ul", "ol", "a", "h1", "h2", "h3": return ""
        default: return nil
        }
    }

    private static func meaning(ofEntity name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        case "nbsp": return " "
        default: break
        }
        guard name.first == "#" else { return nil }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        let code = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(UnicodeScalar.init).map(Character.init)
    }
}
