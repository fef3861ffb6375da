import TrendyDomain
package import TrendyNotation

/// Reads the output of `jrnl --format json` (`--export json` in version 1): an object with the array `entries`.
///
/// It knows the format of jrnl 1.9 to 4.2: title, body, date, time, tags and starred, and the uuid of a DayOne journal.
@MainActor
package struct JrnlSource: ImportSource {
    private var elements: JSONElementReader
    private let type: String
    private let times: WhenParser
    private var notes = TimeRemarks()

    private struct Entry: Decodable {
        var title: String
        var body: String?
        var date: String
        var time: String?
        var tags: [String]?
        var starred: Bool?
        var uuid: String?
    }

    package init(_ bytes: any ByteSource, type: String, times: WhenParser) {
        elements = JSONElementReader(bytes)
        self.type = type
        self.times = times
    }

    package mutating func next() throws -> ImportRow? {
        while let element = try elements.next() {
            // The other member has the numbers of the tags.
            guard element.section == "entries" || element.section == nil else { continue }
            notes.begin()
            return ImportRow(line: element.line) { [.draft(try draft(element.decode(Entry.self), element.line))] }
        }
        return nil
    }

    package var remarks: [String] { notes.remarks }

    package mutating func refuseLast() { notes.takeBack() }

    private mutating func draft(_ entry: Entry, _ line: Int) throws -> EventDraft {
        let text = entry.time.map { "\(entry.date) \($0)" } ?? entry.date
        guard let moment = times.moment(text) else { throw RowError("'\(text)' is not a time") }
        notes.note(times.reading(text), line: line, in: times.zone)
        let body = entry.body ?? ""
        var draft = EventDraft(type: type, timestamp: moment, identity: identity(entry, body))
        draft.notes = Names.trimmed(Names.trimmed(entry.title) + "\n" + body)
        if let tags = entry.tags, !tags.isEmpty {
            draft.properties.append(("tags", .typed(.text(tags.joined(separator: ", ")))))
        }
        if entry.starred == true { draft.properties.append(("starred", .typed(.boolean(true)))) }
        return draft
    }

    private func identity(_ entry: Entry, _ body: String) -> EventDraft.Identity {
        if let uuid = entry.uuid, !uuid.isEmpty { return .named("jrnl:\(uuid)") }
        var hash = Hash128()
        for text in [entry.date, entry.time ?? "", entry.title, body] { hash.add(text.utf8) }
        return .content("jrnl", hash)
    }
}
