import Foundation
import TrendyDomain
import TrendyNotation

/// What a file most likely is, by how it begins: for whoever gives it to the wrong command.
package enum FileKind: Hashable {
    case empty
    case calendar
    /// JSON that is no other kind here.
    case json
    /// An array of JSON without elements: what programs write that have nothing to export.
    case emptyArray
    /// An array of JSON that has neither objects nor arrays.
    case plainArray
    /// One object of JSON on a line: a file of JSON, or the only line of JSON Lines.
    case jsonLine
    case jsonLines
    case jrnl
    case timewarrior
    case daylio
    case loop
    /// A database of SQLite, as a backup is.
    case database
    case archive
    /// HTML or XML.
    case markup
    /// Text in UTF-16.
    case wideText
    /// No text.
    case bytes
    /// Any other text, CSV among it.
    case text

    /// Looks at how a file begins.
    package init(_ beginning: [UInt8]) {
        if beginning.isEmpty {
            self = .empty
        } else if let kind = Self.marks.first(where: { beginning.starts(with: $0.bytes) })?.kind {
            self = kind
        } else if Self.isWide(beginning) {
            self = .wideText
        } else if beginning.count(where: { $0 == 0 }) * 100 > beginning.count {
            self = .bytes
        } else {
            self = Self.kind(ofText: String(decoding: beginning.prefix(1 << 16), as: UTF8.self))
        }
    }

    private static let marks: [(bytes: [UInt8], kind: FileKind)] = [
        (Array("SQLite format 3\0".utf8), .database), ([0x50, 0x4B, 0x03, 0x04], .archive), ([0x1F, 0x8B], .archive),
        ([0x37, 0x7A, 0xBC, 0xAF], .archive),
    ]

    /// Whether bytes are text in UTF-16, also where no mark says so: every other byte of most scripts' is the same then.
    static func isWide(_ beginning: some Collection<UInt8>) -> Bool {
        let bytes = beginning.prefix(1 << 12)
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return true }
        var zeros = [0, 0]
        for (place, byte) in bytes.enumerated() where byte == 0 { zeros[place % 2] += 1 }
        let (most, least) = (max(zeros[0], zeros[1]), min(zeros[0], zeros[1]))
        return bytes.count > 3 && most * 10 > bytes.count * 4 && least * 50 < bytes.count
    }

    // MARK: Texts

    private static func kind(ofText text: String) -> FileKind {
        let plain = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        if plain.isEmpty { return .empty }
        let head = plain.prefix(40).lowercased()
        if head.hasPrefix("begin:vcalendar") { return .calendar }
        if ["<!", "<?", "<html"].contains(where: head.hasPrefix) { return .markup }
        if head.hasPrefix("inc "), CompactTime(String(plain.dropFirst(4).prefix(16))) != nil { return .timewarrior }
        if isPlainArray(plain) { return .plainArray }
        if let first = plain.first, "{[".contains(first), looksLikeJSON(plain) { return json(plain) }
        let lines = plain.split(maxSplits: 2, omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        let names = lines[0].lowercased().split(separator: ",").map { Names.trimmed(String($0)) }
        if Set(["full_date", "mood", "activities"]).isSubset(of: names) { return .daylio }
        let isLoop = lines.count > 1 && ["YES_MANUAL", "YES_AUTO", ",UNKNOWN"].contains { lines[1].contains($0) }
        return names.first == "date" && isLoop ? .loop : .text
    }

    /// Whether brackets are followed by what follows them in JSON: names of columns may stand in brackets too.
    private static func looksLikeJSON(_ text: Substring) -> Bool {
        guard let next = text.dropFirst().first(where: { !$0.isWhitespace }) else { return true }
        return "\"{[]}".contains(next)
    }

    /// Whether it is an array of JSON, whole, whose elements are numbers, texts and the like.
    private static func isPlainArray(_ text: Substring) -> Bool {
        guard text.first == "[", let next = text.dropFirst().first(where: { !$0.isWhitespace }), !"{[]".contains(next),
            let values = try? WireCoding.decode([JSONValue].self, from: Data(text.utf8))
        else { return false }
        return values.allSatisfy { value in
            switch value {
            case .array, .object: false
            default: true
            }
        }
    }

    private static func json(_ text: Substring) -> FileKind {
        if let start = value(of: "start", in: text), CompactTime(String(start.dropFirst().prefix(16)))?.isUTC == true {
            return .timewarrior
        }
        guard text.first == "{" else {
            if text.filter({ !$0.isWhitespace }).prefix(3) == "[]" { return .emptyArray }
            let isEntries = ["\"title\"", "\"body\"", "\"date\""].allSatisfy(text.contains)
            // What an event has, and an entry has not.
            return isEntries && !text.contains("\"timestamp\"") ? .jrnl : .json
        }
        // The entries may come behind thousands of tags.
        let isTagged = value(of: "tags", in: text.prefix(40))?.first == "{"
        if isTagged || value(of: "entries", in: text)?.first == "[" { return .jrnl }
        let lines = text.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        guard lines.count > 1 else { return .jsonLine }
        return isWhole(lines[0]) ? .jsonLines : .json
    }

    /// The text from the value of the first member of that name on.
    private static func value(of name: String, in text: Substring) -> Substring? {
        guard let found = text.firstRange(of: "\"\(name)\"") else { return nil }
        let after = text[found.upperBound...].drop(while: \.isWhitespace)
        guard after.first == ":" else { return nil }
        return after.dropFirst().drop(while: \.isWhitespace)
    }

    /// Whether every bracket of a line of JSON is closed in it.
    private static func isWhole(_ line: Substring) -> Bool {
        var nesting = JSONNesting()
        for byte in line.utf8 { nesting.pass(byte) }
        return nesting.isClosed
    }

    // MARK: Words

    /// What it is, for a person.
    package var text: String {
        switch self {
        case .empty: "an empty file"
        case .calendar: "a calendar"
        case .json, .jsonLine: "JSON"
        case .emptyArray: "an empty array of JSON"
        case .plainArray: "an array of JSON without objects"
        case .jsonLines: "JSON Lines"
        case .jrnl: "an export of jrnl"
        case .timewarrior: "an export of timewarrior"
        case .daylio: "an export of Daylio"
        case .loop: "a file of Loop Habit Tracker"
        case .database: "a database"
        case .archive: "a packed file"
        case .markup: "a page of HTML or XML"
        case .wideText: "text in UTF-16"
        case .bytes: "a file that is no text"
        case .text: "some other text"
        }
    }

    /// What to do with a file of this kind.
    ///
    /// - Parameter file: The file as it is typed into a shell.
    package func advice(_ file: String) -> String? {
        switch self {
        case .calendar: "'trendy import ics \(file)' takes it"
        case .json, .jsonLine: "'trendy import json \(file)' takes it, if Trendy wrote it"
        case .jsonLines: "'trendy import jsonl \(file)' takes it, if Trendy wrote it"
        case .jrnl: "'trendy import jrnl \(file)' takes it"
        case .timewarrior: "'trendy import timewarrior \(file)' takes it"
        case .daylio: "'trendy import daylio \(file)' takes it"
        case .loop: "'trendy import loop \(file)' takes it"
        case .database: "'trendy restore \(file)' takes it, if 'trendy backup' wrote it"
        case .archive: "unpack it first, with 'unzip' or the like, and name what is in it"
        case .wideText: "save it as UTF-8 first"
        case .text: "'trendy import csv \(file)' takes it, if its first line names columns"
        case .empty, .emptyArray, .plainArray, .markup, .bytes: nil
        }
    }
}
