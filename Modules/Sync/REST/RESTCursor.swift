import Foundation
import TrendyDomain

/// What a gateway has to know at the next exchange. The core keeps it as an opaque text.
struct RESTCursor: Codable, Hashable, Sendable {
    /// The name of the history. These servers have no names for theirs; the feed shows whether it is another one.
    static let epoch = "rest"
    private static let form = 2

    /// The form of the text. A gateway that does not know it begins anew.
    var form = Self.form
    /// The largest revision that was given to an observation of a record.
    var head: Int64 = 0
    /// The newest entries of the feed that were read.
    var feed: FeedMemory
    /// The record that was written last, until the feed shows it.
    var written: RecordKey?
    /// The place of a snapshot; nil once it is through.
    var snapshot: ListingPlace?
    /// The place of a listing check that is under way.
    var check: ListingPlace?
    /// The day of the last listing check that came to its end, counted from 1970 in UTC.
    var checkedDay: Int64
    /// The deleted records whose children the gateway has not told of yet.
    var emptied: [RecordKey] = []
    /// Reduced sizes of requests, by what is asked for or sent.
    var sizes: [String: Int] = [:]
    /// The mutations on which the server failed, or to which it gave no answer. They are sent last, each alone.
    var troubled: [UInt32] = []
}

extension RESTCursor {
    /// The cursor of a text; nil where another gateway, or another version of this one, has written it.
    init?(_ text: String) {
        // Most cursors come from an exchange. They are told apart at each request.
        guard text.utf8.first == UInt8(ascii: "{"), let stored = try? WireCoding.decode(Self.self, from: Data(text.utf8)),
            stored.form == Self.form
        else { return nil }
        self = stored
    }

    func text() throws -> String { String(decoding: try WireCoding.encode(self), as: UTF8.self) }
}

/// A number for a text, the same in every process (FNV-1a). It fits a JSON number and is short.
func shortHash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
}
