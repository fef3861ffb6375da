import Foundation
import TrendyDomain

/// What has changed on the server: for checkers, and as servers of the first API give it out.
///
/// There places are assigned before transactions commit, so that an entry can appear behind ones that were read already.
final class ServerFeed {
    /// In ascending order of the places.
    private(set) var entries: [LoggedVersion] = []
    /// The versions of each record, in the order of the commits.
    private(set) var versions: [String: [LoggedVersion]] = [:]
    /// The entry of each record that stands last.
    private(set) var last: [String: LoggedVersion] = [:]
    /// Entries that appeared behind the newest one of their time.
    private(set) var late: Set<Int64> = []
    /// Entries that are given out in a form that no client can read.
    private(set) var garbled: Set<Int64> = []
    private var lastPlace: Int64 = 0
    /// What was encoded once is given out many times.
    private var encoded: [Int64: Data] = [:]

    var latest: Int64 { entries.last?.id ?? 0 }
    /// The last entries of all records, in the order of the records' ids.
    var lastOfEach: [LoggedVersion] { last.values.sorted { $0.entityId < $1.entityId } }

    /// Assigns the next place, for a transaction that will commit later.
    func reserve() -> Int64 {
        lastPlace += 1
        return lastPlace
    }

    /// - Parameter place: The place that was reserved or is given by the revision; nil for the next one.
    func append(_ version: LoggedVersion, at place: Int64?, isGarbled: Bool) {
        var version = version
        version.entry.id = place ?? reserve()
        lastPlace = max(lastPlace, version.id)
        version.isLate = version.id < latest
        if version.isLate { late.insert(version.id) }
        if isGarbled { garbled.insert(version.id) }
        let index = entries.lastIndex { $0.id < version.id }.map { $0 + 1 } ?? 0
        entries.insert(version, at: index)
        versions[version.entityId, default: []].append(version)
        if last[version.entityId]?.id ?? 0 <= version.id { last[version.entityId] = version }
    }

    /// Notes a version of which the feed does not speak.
    func noteUnlogged(_ version: LoggedVersion) { versions[version.entityId, default: []].append(version) }

    /// Whether the feed has an entry of what the server did.
    func hasEntry(of effect: ServerEffect) -> Bool {
        (versions[effect.landed] ?? []).contains { $0.id != 0 && $0.effect == effect.sequence }
    }

    /// Whether the feed tells of a record in a form that clients can read.
    func tells(of id: String) -> Bool {
        (versions[id] ?? []).contains { $0.id != 0 && !garbled.contains($0.id) }
    }

    /// The record as it is now.
    func current(_ id: String) -> Fields? { versions[id]?.last?.fields }

    /// From now on every entry can be read.
    func repair() {
        for id in garbled { encoded[id] = nil }
        garbled = []
    }

    /// The page as JSON.
    func encodedPage(since cursor: Int64, limit: Int) throws -> Data {
        let start = firstIndex(after: cursor)
        let found = entries[start...].prefix(limit)
        let page = try found.map { String(decoding: try json($0.entry), as: UTF8.self) }
        let end = #""has_more":\#(entries.count - start > limit),"next_cursor":\#(found.last?.id ?? cursor)"#
        return Data(#"{"changes":[\#(page.joined(separator: ","))],\#(end)}"#.utf8)
    }

    private func json(_ entry: ChangeEntry) throws -> Data {
        if let known = encoded[entry.id] { return known }
        let json = try WireCoding.encode(garbled.contains(entry.id) ? Self.garbled(entry) : entry)
        encoded[entry.id] = json
        return json
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

    private static func garbled(_ entry: ChangeEntry) -> ChangeEntry {
        var entry = entry
        guard case .object(var fields)? = entry.data else { return entry }
        fields["id"] = .number(0)
        entry.data = .object(fields)
        return entry
    }
}
