import Foundation
import TrendyDomain
import TrendyNotation

/// The text of a configuration file: a JSON object, in which comments are allowed.
///
/// A change touches the one member that it is about; comments, order, indentation and keys that nobody here knows stay.
struct ConfigurationDocument {
    private(set) var bytes: [UInt8]
    private var scanned: ConfigurationScanner

    init(_ bytes: [UInt8] = []) throws(ConfigurationSyntaxError) {
        let isBlank = bytes.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        self.bytes = isBlank ? Array("{\n}\n".utf8) : bytes
        scanned = try ConfigurationScanner(self.bytes)
    }

    /// The keys in their order, each once.
    var keys: [String] {
        var seen: Set<String> = []
        return scanned.members.map(\.key).filter { seen.insert($0).inserted }
    }

    /// The value of a key; of several the last, as JSON readers take it.
    func value(_ key: String) -> JSONValue? {
        guard let member = scanned.members.last(where: { $0.key == key }) else { return nil }
        return try? WireCoding.decode(JSONValue.self, from: Data(scanned.plain[member.value]))
    }

    /// What the settings say, as texts; keys that are null or empty say nothing.
    var texts: [String: String] {
        var texts: [String: String] = [:]
        for setting in Setting.all {
            guard let value = value(setting.key), value != .null, value != .string("") else { continue }
            texts[setting.key] = JSONValueText.of(value)
        }
        return texts
    }

    // MARK: Changing

    /// Gives a key a value, in the place of the one that it has, else after the last member.
    mutating func set(_ key: String, to value: JSONValue) throws {
        let literal = [UInt8](try WireCoding.encode(value))
        if let member = scanned.members.last(where: { $0.key == key }) {
            return try edit([(member.value, literal)])
        }
        let text = [UInt8](try WireCoding.encode(JSONValue.string(key))) + Array(": ".utf8) + literal
        if let last = scanned.members.last { return try edit(additions(of: text, after: last)) }
        try edit([additionToEmpty(text)])
    }

    /// Takes a key away, and its line where nothing else is on it.
    mutating func remove(_ key: String) throws {
        while let index = scanned.members.firstIndex(where: { $0.key == key }) {
            let member = scanned.members[index]
            var cuts = [(member.keyStart..<member.value.upperBound, [UInt8]())]
            let comma = member.comma ?? (index > 0 ? scanned.members[index - 1].comma : nil)
            if let comma {
                var end = comma + 1
                let staysInLine = indentation(before: member.keyStart) == nil
                while staysInLine, end < scanned.close, bytes[end] == 0x20 { end += 1 }
                cuts.append((comma..<end, []))
            }
            let line = lineStart(before: member.keyStart)
            try edit(cuts, blankLineAt: member.comma == nil && comma.map { $0 < line } ?? false ? line - 1 : line)
        }
    }

    private typealias Edit = (place: Range<Int>, text: [UInt8])

    private mutating func edit(_ edits: [Edit], blankLineAt line: Int? = nil) throws {
        var changed = bytes
        for edit in edits.sorted(by: { $0.place.lowerBound > $1.place.lowerBound }) {
            changed.replaceSubrange(edit.place, with: edit.text)
        }
        if let line {
            let end = changed[line...].firstIndex(of: Self.newline).map { $0 + 1 } ?? changed.count
            if changed[line..<end].allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
                changed.removeSubrange(line..<end)
            }
        }
        scanned = try ConfigurationScanner(changed)
        bytes = changed
    }

    private static let newline = UInt8(ascii: "\n")

    private func lineStart(before place: Int) -> Int {
        (bytes[..<place].lastIndex(of: Self.newline) ?? -1) + 1
    }

    /// The blanks before a place, where nothing else is before it on its line.
    private func indentation(before place: Int) -> [UInt8]? {
        let blanks = bytes[lineStart(before: place)..<place]
        return blanks.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? Array(blanks) : nil
    }

    private func additions(of text: [UInt8], after last: ConfigurationScanner.Member) -> [Edit] {
        let after = last.comma.map { $0 + 1 } ?? last.value.upperBound
        let comma: [UInt8] = last.comma == nil ? [UInt8(ascii: ",")] : []
        guard let indentation = indentation(before: last.keyStart) else {
            return [(after..<after, comma + [0x20] + text)]
        }
        // What is said behind the last member on its line is about that member.
        var end = scanned.plain[after..<scanned.close].firstIndex(of: Self.newline) ?? after
        if end > after, bytes[end - 1] == 0x0D { end -= 1 }
        let line = (bytes.contains(0x0D) ? [0x0D, 0x0A] : [0x0A]) + indentation + text
        if end == after { return [(after..<after, comma + line)] }
        return [(after..<after, comma), (end..<end, line)]
    }

    private func additionToEmpty(_ text: [UInt8]) -> Edit {
        let line = [0x20, 0x20] + text + [Self.newline]
        let start = lineStart(before: scanned.close)
        if start > scanned.open, indentation(before: scanned.close) != nil { return (start..<start, line) }
        return (scanned.close..<scanned.close, [Self.newline] + line)
    }
}

/// Finds the members of a JSON object in its text, so that one can be changed without touching the rest.
///
/// Comments as in C++, and a comma after the last member, are allowed beyond JSON.
struct ConfigurationScanner {
    /// A member of the object, by its places in the text.
    struct Member {
        let key: String
        let keyStart: Int
        let value: Range<Int>
        /// Where the comma after it is.
        var comma: Int?
    }

    /// The text with blanks in place of comments, so that every place is the same.
    private(set) var plain: [UInt8]
    private(set) var members: [Member] = []
    /// Where the closing brace is.
    private(set) var close = 0
    private(set) var open = 0

    init(_ bytes: [UInt8]) throws(ConfigurationSyntaxError) {
        plain = try Self.withoutComments(bytes)
        let result = plain.withUnsafeBytes { text in
            Result { () throws(JSONFault) in
                var (scanner, reader) = (self, JSONReader(bytes: text))
                try scanner.scan(&reader)
                return scanner
            }
        }
        switch result {
        case .success(let scanner): self = scanner
        case .failure(let fault):
            throw ConfigurationSyntaxError(fault.reason, at: fault.place.lowerBound, in: bytes)
        }
    }

    private static func withoutComments(_ bytes: [UInt8]) throws(ConfigurationSyntaxError) -> [UInt8] {
        var plain = bytes
        // Some editors put a byte order mark before the text.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { plain.replaceSubrange(0..<3, with: [0x20, 0x20, 0x20]) }
        var (place, nesting) = (0, JSONNesting())
        while place < bytes.count {
            let rest = nesting.isInText ? [] : bytes[place...]
            let end: Int
            if rest.starts(with: "//".utf8) {
                end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if rest.starts(with: "/*".utf8) {
                guard let close = rest.dropFirst(2).firstRange(of: "*/".utf8) else {
                    throw ConfigurationSyntaxError("a comment has no end", at: place, in: bytes)
                }
                end = close.upperBound
            } else {
                nesting.pass(bytes[place])
                place += 1
                continue
            }
            for index in place..<end { plain[index] = 0x20 }
            place = end
        }
        return plain
    }

    private mutating func scan(_ reader: inout JSONReader) throws(JSONFault) {
        reader.skipSpace()
        open = reader.index
        guard reader.next == UInt8(ascii: "{") else { throw reader.malformed("'{' is missing") }
        reader.index += 1
        while !reader.closes(UInt8(ascii: "}")) {
            if let last = members.last, last.comma == nil { throw reader.malformed("',' or '}' is missing") }
            try reader.requireName()
            let keyStart = reader.index
            let key = try reader.string()
            try reader.skipColon()
            let start = reader.index
            try reader.skipValue()
            var member = Member(key: key, keyStart: keyStart, value: start..<reader.index)
            reader.skipSpace()
            if reader.next == UInt8(ascii: ",") {
                member.comma = reader.index
                reader.index += 1
            }
            members.append(member)
        }
        close = reader.index - 1
        try reader.requireEnd()
    }
}

/// Says where a configuration file is no JSON object.
struct ConfigurationSyntaxError: Error, Hashable {
    /// The line, from 1 on.
    let line: Int
    /// What is wrong there.
    let reason: String

    init(_ reason: String, at offset: Int, in bytes: [UInt8]) {
        self.reason = reason
        line = 1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}
