import Foundation
import TrendyDomain

/// The change feed as the server gives it out: places are assigned before transactions commit, so that an entry
/// can appear behind ones that were read already.
final class ServerFeed {
    /// In ascending order of the places.
    private(set) var entries: [ChangeEntry] = []
    /// Entries that appeared behind the newest one of their time.
    private(set) var late: Set<Int64> = []
    /// Entries that are given out in a form that no client can read.
    private(set) var garbled: Set<Int64> = []
    private var lastPlace: Int64 = 0
    /// What was encoded once is given out many times.
    private var encoded: [Int64: Data] = [:]

    var latest: Int64 { entries.last?.id ?? 0 }

    /// Assigns the next place, for a transaction that will commit later.
    func reserve() -> Int64 {
        lastPlace += 1
        return lastPlace
    }

    func append(_ entry: ChangeEntry, at reserved: Int64?, isGarbled: Bool) {
        var entry = entry
        entry.id = reserved ?? reserve()
        if entry.id < latest { late.insert(entry.id) }
        if isGarbled { garbled.insert(entry.id) }
        let place = entries.lastIndex { $0.id < entry.id }.map { $0 + 1 } ?? 0
        entries.insert(entry, at: place)
    }

    /// From now on every entry can be read.
    func repair() {
        for id in garbled { encoded[id] = nil }
        garbled = []
    }

    /// The page as JSON.
    func encodedPage(since cursor: Int64, limit: Int) throws -> Data {
        let page = page(since: cursor, limit: limit)
        let entries = try page.changes.map { String(decoding: try json($0), as: UTF8.self) }
        let end = #""has_more":\#(page.hasMore),"next_cursor":\#(page.nextCursor)"#
        return Data(#"{"changes":[\#(entries.joined(separator: ","))],\#(end)}"#.utf8)
    }

    private func json(_ entry: ChangeEntry) throws -> Data {
        if let known = encoded[entry.id] { return known }
        let json = try WireCoding.encode(entry)
        encoded[entry.id] = json
        return json
    }

    func page(since cursor: Int64, limit: Int) -> ChangeFeedResponse {
        let start = firstIndex(after: cursor)
        let found = entries[start...].prefix(limit)
        return ChangeFeedResponse(
            changes: found.map { garbled.contains($0.id) ? garbled($0) : $0 }, nextCursor: found.last?.id ?? cursor,
            hasMore: entries.count - start > limit)
    }

    private func firstIndex(after cursor: Int64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id <= cursor { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func garbled(_ entry: ChangeEntry) -> ChangeEntry {
        var entry = entry
        guard case .object(var fields)? = entry.data else { return entry }
        fields["id"] = .number(0)
        entry.data = .object(fields)
        return entry
    }
}
