import Foundation
import TrendyDomain

/// All that a gateway has to know at the next exchange; the core keeps it as an opaque text.
struct RESTCursor: Codable, Hashable, Sendable {
    /// The form of the text. A gateway that does not know it begins anew.
    private static let version = 1

    /// The name of the history: made up by the gateway, for these servers have none.
    var epoch: String
    /// The number of the newest observation of a record. Each gets the next one.
    var head: Int64 = 0
    /// What has been read of the feed.
    var feed: FeedMemory
    /// The place of a snapshot; nil once it is through.
    var snapshot: ListingPlace?
    /// The place of a listing check that is under way.
    var check: ListingPlace?
    /// The day, counted from 1970 in UTC, of the last listing check that came to its end.
    var checkedDay: Int64
    /// How much is asked for at once, where less than usual has come through, by what it is asked of.
    var sizes: [String: Int] = [:]
    /// The mutations on which the server failed, or to which it gave no answer: they go last, and alone.
    var troubled: [UInt32] = []

    init(epoch: String, feed: FeedMemory, checkedDay: Int64) {
        self.epoch = epoch
        self.feed = feed
        self.checkedDay = checkedDay
    }

    /// The cursor of a text; nil where another gateway, or another version of this one, has written it.
    init?(_ text: String) {
        guard let stored = try? WireCoding.decode(Versioned.self, from: Data(text.utf8)), stored.v == Self.version
        else { return nil }
        self = stored.c
    }

    func text() throws -> String {
        String(decoding: try WireCoding.encode(Versioned(v: Self.version, c: self)), as: UTF8.self)
    }

    private struct Versioned: Codable {
        var v: Int
        var c: RESTCursor
    }

    private enum CodingKeys: String, CodingKey {
        case epoch = "e"
        case head = "n"
        case feed = "f"
        case snapshot = "s"
        case check = "k"
        case checkedDay = "d"
        case sizes = "z"
        case troubled = "t"
    }
}

/// The place in the listings of all kinds.
struct ListingPlace: Codable, Hashable, Sendable {
    /// Which kind is being listed, in the schema's order.
    var kind = 0
    /// How many records of it have been shown.
    var offset = 0
    /// The last records that were shown, the newest last: a page that shows one of them leaves nothing out before it.
    var tail: [UInt32] = []
    /// What the page before has shown, to notice a listing that knows nothing of offsets.
    var page: UInt32 = 0
    /// How many pages in a row have shown the same.
    var repetitions = 0
    /// How often the listing was taken back because rows had moved up.
    var setbacks = 0
    /// Of a kind that is listed beneath parents: the last parent that is done.
    var parent: String?

    private enum CodingKeys: String, CodingKey {
        case kind = "k"
        case offset = "o"
        case tail = "t"
        case page = "p"
        case repetitions = "r"
        case setbacks = "b"
        case parent = "a"
    }
}

/// A number for a text, the same in every process (FNV-1a). It fits a JSON number and is short.
func shortHash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
}
