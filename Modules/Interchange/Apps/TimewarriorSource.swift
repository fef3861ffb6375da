import TrendyDomain
import TrendyNotation

/// Gives the intervals of timewarrior: the array of `timew export`, or the lines of its data files.
///
/// It knows the forms of timewarrior 1.0 to 1.9: an interval has a start, and an end unless it runs still; tags, and an
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
    ///   - type: The type of all intervals, in place of their first tags.
    ///   - open: Begins to read the file from its start; called twice.
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
        running == 0 ? [] : ["\(counted(running, "interval")) without an end was left out: stop the tracking first"]
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

    private struct Exported: Decodable {
        var start: String
        var end: String?
        var tags: [String]?
        var annotation: String?
    }

    /// Reads an element of `timew export`.
    ///
    /// - Throws: ``RowProblem``.
    init(_ element: JSONElement) throws(RowProblem) {
        let exported = try element.decode(Exported.self)
        start = try Self.moment(exported.start)
        if let end = exported.end { self.end = try Self.moment(end) } else { end = nil }
        tags = exported.tags ?? []
        annotation = exported.annotation ?? ""
    }

    /// Reads a line of a data file: `inc 20260301T080000Z - 20260301T093000Z # tag "two words" # annotation`.
    ///
    /// - Throws: ``RowProblem``.
    init(line: ArraySlice<UInt8>) throws(RowProblem) {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw RowProblem("it is not UTF-8; \(RowProblem.conversion)")
        }
        var words = QuotedWords(text)
        guard words.next() == "inc" else { throw RowProblem("it is no interval: it does not begin with 'inc'") }
        guard let first = words.next(), first != "#" else { throw RowProblem("the interval has no start") }
        start = try Self.moment(first)
        var word = words.next()
        if word == "-" {
            end = try Self.moment(words.next() ?? "")
            word = words.next()
        } else {
            end = nil
        }
        guard word == nil || word == "#" else { throw RowProblem("'\(word ?? "")' is not expected after the times") }
        var tags: [String] = []
        while let tag = words.next(), tag != "#" { tags.append(tag) }
        self.tags = tags
        annotation = words.rest
    }

    private static func moment(_ text: String) throws(RowProblem) -> Timestamp {
        guard let moment = CompactTime(text)?.utcMoment else {
            throw RowProblem("'\(text)' is no time of timewarrior's, like 20260301T080000Z")
        }
        return moment
    }

    /// The interval as an event. Two intervals of timewarrior never overlap, so that the start is its name.
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

/// The words of a line; one in quotation marks may have blanks, and a backslash before a mark.
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

    /// Everything that follows, without quotation marks around it.
    var rest: String {
        let trimmed = Names.trimmed(String(text))
        guard trimmed.hasPrefix("\"") else { return trimmed }
        var words = QuotedWords(trimmed)
        let first = words.next() ?? ""
        let more = Names.trimmed(String(words.text))
        return more.isEmpty ? first : trimmed
    }
}
