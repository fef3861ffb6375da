import TrendyDomain
import TrendyNotation

/// Reads the intervals of timewarrior: the array of `timew export`, or the lines of its data files.
///
/// It knows the formats of timewarrior 1.0 to 1.9: an interval has a start, an end unless it is running, tags, and an
/// annotation. The first tag is the type.
@MainActor
package struct TimewarriorSource: ImportSource {
    private enum Reader {
        case document(JSONElementReader)
        case lines(LineReader)
    }

    private var reader: Reader
    private let type: String?
    private var running = 0

    /// - Parameters:
    ///   - type: The type of all intervals, instead of their first tags.
    ///   - open: Opens the file at its start; called twice.
    package init(type: String?, _ open: () throws -> any ByteSource) throws {
        self.type = type
        reader = try Self.isJSON(try open()) ? .document(JSONElementReader(try open())) : .lines(LineReader(try open()))
    }

    private static func isJSON(_ source: any ByteSource) throws -> Bool {
        var source = source
        while case let piece = try source.next(), !piece.isEmpty {
            let text = piece.starts(with: [0xEF, 0xBB, 0xBF]) ? piece[3...] : piece[...]
            if let first = text.first(where: { $0 > 0x20 }) {
                return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
            }
        }
        return false
    }

    package var remarks: [String] {
        running == 0 ? [] : ["\(counted(running, "interval")) without an end left out; to import it, stop the tracking"]
    }

    package mutating func next() throws -> ImportRow? {
        switch reader {
        case .document(var document):
            defer { reader = .document(document) }
            guard let element = try document.next() else { return nil }
            return row(element.line) { try TimewarriorInterval(element) }
        case .lines(var lines):
            defer { reader = .lines(lines) }
            while let line = try lines.next() {
                if line.allSatisfy({ $0 <= 0x20 }) { continue }
                return row(lines.number) { try TimewarriorInterval(line: line) }
            }
            return nil
        }
    }

    private mutating func row(_ line: Int, _ read: () throws -> TimewarriorInterval) -> ImportRow {
        var isRunning = false
        let row = ImportRow(line: line) {
            let interval = try read()
            guard interval.end != nil else {
                isRunning = true
                return []
            }
            return [.draft(interval.draft(type: type))]
        }
        if isRunning { running += 1 }
        return row
    }
}

struct TimewarriorInterval {
    let start: Timestamp
    let end: Timestamp?
    let tags: [String]
    let annotation: String

    private struct ExportedInterval: Decodable {
        var start: String
        var end: String?
        var tags: [String]?
        var annotation: String?
    }

    /// Reads an element of `timew export`.
    ///
    /// - Throws: ``RowError``.
    init(_ element: JSONElement) throws(RowError) {
        let exported = try element.decode(ExportedInterval.self)
        start = try Self.moment(exported.start)
        if let end = exported.end { self.end = try Self.moment(end) } else { end = nil }
        tags = exported.tags ?? []
        annotation = exported.annotation ?? ""
    }

    /// Reads a line of a data file: `inc 20260301T080000Z - 20260301T093000Z # tag "two words" # annotation`.
    ///
    /// - Throws: ``RowError``.
    init(line: ArraySlice<UInt8>) throws(RowError) {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw RowError("it is not UTF-8; \(RowError.conversion)")
        }
        var words = QuotedWords(text)
        guard words.next() == "inc" else { throw RowError("it is not an interval: it does not begin with 'inc'") }
        guard let first = words.next(), first != "#" else { throw RowError("the interval has no start") }
        start = try Self.moment(first)
        var word = words.next()
        if word == "-" {
            end = try Self.moment(words.next() ?? "")
            word = words.next()
        } else {
            end = nil
        }
        guard word == nil || word == "#" else { throw RowError("'\(word ?? "")' must not follow the times") }
        var tags: [String] = []
        while let tag = words.next(), tag != "#" { tags.append(tag) }
        self.tags = tags
        annotation = words.rest
    }

    private static func moment(_ text: String) throws(RowError) -> Timestamp {
        guard let moment = CompactTime(text)?.utcMoment else {
            throw RowError("'\(text)' is not a time like 20260301T080000Z")
        }
        return moment
    }

    /// The interval as an event. Intervals of timewarrior never overlap, so the start identifies it.
    func draft(type: String?) -> EventDraft {
        var draft = EventDraft(
            type: type ?? tags.first ?? "time", timestamp: start, identity: .named("timewarrior:\(start)"))
        draft.endDate = end
        draft.notes = annotation
        if tags.count > (type == nil ? 1 : 0) {
            draft.properties = [("tags", .typed(.text(tags.joined(separator: ", "))))]
        }
        return draft
    }
}

/// The words of a line; a quoted word can have blanks, and escaped quotation marks.
struct QuotedWords {
    private var text: Substring

    init(_ text: String) { self.text = text[...] }

    mutating func next() -> String? {
        text = text.drop(while: \.isWhitespace)
        guard let first = text.first else { return nil }
        guard first == "\"" else {
            let word = text.prefix { !$0.isWhitespace }
            text = text.dropFirst(word.count)
            return String(word)
        }
        return quoted()
    }

    private mutating func quoted() -> String {
        var word = ""
        var isEscaped = false
        text = text.dropFirst()
        while let character = text.popFirst() {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                break
            } else {
                word.append(character)
            }
        }
        return word
    }

    /// The rest of the line, without the quotation marks around it.
    var rest: String {
        let trimmed = Names.trimmed(String(text))
        guard trimmed.hasPrefix("\"") else { return trimmed }
        var words = QuotedWords(trimmed)
        let first = words.next() ?? ""
        let more = Names.trimmed(String(words.text))
        return more.isEmpty ? first : trimmed
    }
}
