import Foundation
import TrendyDomain
import TrendyNotation

/// The probable kind of a file by its beginning, for advice on the right command.
package enum FileKind: Hashable {
    case empty
    case calendar
    /// JSON of no other kind.
    case json
    /// An empty JSON array, which programs write if there is nothing to export.
    case emptyArray
    /// A JSON array without objects and arrays.
    case plainArray
    /// A JSON object on one line: a JSON file, or a single line of JSON Lines.
    case jsonLine
    case jsonLines
    case jrnl
    case timewarrior
    case daylio
    case loop
    /// An SQLite database, like a backup.
    case database
    case archive
    /// HTML or XML.
    case markup
    /// Text in UTF-16.
    case wideText
    /// Binary data.
    case bytes
    /// Other text, such as CSV.
    case text

    /// Examines the beginning of a file.
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

    /// Whether bytes are UTF-16 text, even without a byte order mark: in most scripts, every other byte is the same.
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

    /// Whether the text after the bracket looks like JSON; names of CSV columns can begin with brackets, too.
    private static func looksLikeJSON(_ text: Substring) -> Bool {
        guard let next = text.dropFirst().first(where: { !$0.isWhitespace }) else { return true }
        return "\"{[]}".contains(next)
    }

    /// Whether it is a complete JSON array of numbers, texts and the like.
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
            // A member of events that entries of jrnl do not have.
            return isEntries && !text.contains("\"timestamp\"") ? .jrnl : .json
        }
        // Thousands of tags can precede the entries.
        let isTagged = value(of: "tags", in: text.prefix(40))?.first == "{"
        if isTagged || value(of: "entries", in: text)?.first == "[" { return .jrnl }
        let lines = text.split(maxSplits: 1, omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        guard lines.count > 1 else { return .jsonLine }
        return isWhole(lines[0]) ? .jsonLines : .json
    }

    /// The text from the value of the first member with that name on.
    private static func value(of name: String, in text: Substring) -> Substring? {
        guard let found = text.firstRange(of: "\"\(name)\"") else { return nil }
        let after = text[found.upperBound...].drop(while: \.isWhitespace)
        guard after.first == ":" else { return nil }
        return after.dropFirst().drop(while: \.isWhitespace)
    }

    /// Whether all brackets of a JSON line are closed in it.
    private static func isWhole(_ line: Substring) -> Bool {
        var nesting = JSONNesting()
        for byte in line.utf8 { nesting.pass(byte) }
        return nesting.isClosed
    }

    // MARK: Words

    /// The kind, for messages.
    package var text: String {
        switch self {
        case .empty: "an empty file"
        case .calendar: "a calendar"
        case .json, .jsonLine: "JSON"
        case .emptyArray: "an empty JSON array"
        case .plainArray: "a JSON array without objects"
        case .jsonLines: "JSON Lines"
        case .jrnl: "an export of jrnl"
        case .timewarrior: "an export of timewarrior"
        case .daylio: "an export of Daylio"
        case .loop: "a file of Loop Habit Tracker"
        case .database: "a database"
        case .archive: "an archive"
        case .markup: "an HTML or XML page"
        case .wideText: "text in UTF-16"
        case .bytes: "a binary file"
        case .text: "another kind of text"
        }
    }

    /// The advice for a file of this kind.
    ///
    /// - Parameter file: The file name, quoted for a shell.
    package func advice(_ file: String) -> String? {
        switch self {
        case .calendar: "import it with 'trendy import ics \(file)'"
        case .json, .jsonLine: "if Trendy wrote it, import it with 'trendy import json \(file)'"
        case .jsonLines: "if Trendy wrote it, import it with 'trendy import jsonl \(file)'"
        case .jrnl: "import it with 'trendy import jrnl \(file)'"
        case .timewarrior: "import it with 'trendy import timewarrior \(file)'"
        case .daylio: "import it with 'trendy import daylio \(file)'"
        case .loop: "import it with 'trendy import loop \(file)'"
        case .database: "if it is a backup, restore it with 'trendy restore \(file)'"
        case .archive: "unpack it first, for example with 'unzip', and name the unpacked file"
        case .wideText: "save it as UTF-8 first"
        case .text: "if its first line has column names, import it with 'trendy import csv \(file)'"
        case .empty, .emptyArray, .plainArray, .markup, .bytes: nil
        }
    }
}
