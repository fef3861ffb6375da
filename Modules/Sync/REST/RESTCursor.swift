import Foundation
import TrendyDomain

/// What a gateway has to know at the next exchange. The core keeps it as an opaque text.
struct RESTCursor: Codable, Hashable, Sendable {
    /// The name of the history. These servers have no names for theirs; the feed shows whether it is another one.
    static let epoch = "rest"
    private static let form = 3
    /// How the text begins. It tells the cursor from that of an exchange, without being decoded.
    private static let prefix = "rest:"

    /// The form of the text. A gateway that does not know it begins anew.
    var form = Self.form
    /// The largest revision that was given to an observation of a record.
    var head: Int64 = 0
    /// Where changes were skipped: versions up to this revision may be old.
    var skipped: Int64?
    /// The newest entries of the feed that were read.
    var feed: FeedMemory
    /// The record that was written last, until the feed shows it.
    var written: RecordKey?
    /// The place of a snapshot; nil once it is through.
    var snapshot: ListingPlace?
    /// The place of a listing check that is under way.
    var check: ListingPlace?
    /// The day on which the last listing check began, counted from 1970 in UTC.
    var checkedDay: Int64
    /// The kinds whose listings the snapshot or that check has read. An app that is updated may know others.
    var checkedKinds: [EntityType]
    /// The deleted records whose children the gateway has not told of yet.
    var emptied: [RecordKey] = []
    /// How much requests carry, by what is asked for or sent; without those that are as in the beginning.
    var windows: [String: RequestWindow]?
    /// The mutations on which the server failed, or to which it gave no answer. They are sent last, each alone.
    var troubled: [UInt32] = []
}

extension RESTCursor {
    func window(_ name: String, start: Int) -> RequestWindow { windows?[name] ?? RequestWindow(start: start) }

    mutating func setWindow(_ name: String, _ window: RequestWindow, start: Int) {
        windows = windows ?? [:]
        windows?[name] = window == RequestWindow(start: start) ? nil : window
        if windows?.isEmpty == true { windows = nil }
    }

    /// Whether a gateway to the older routes, of whatever version, has written the text.
    static func isOne(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// The cursor of a text; nil where another version of this gateway has written it.
    init?(_ text: String) {
        guard Self.isOne(text),
            let stored = try? WireCoding.decode(Self.self, from: Data(text.dropFirst(Self.prefix.count).utf8)),
            stored.form == Self.form
        else { return nil }
        self = stored
    }

    /// The text of a cursor behind changes that nobody was told of.
    static func skipped(_ text: String) throws -> String {
        guard var cursor = Self(text) else { return text }
        cursor.skipped = cursor.head
        return try cursor.text()
    }

    func text() throws -> String { Self.prefix + String(decoding: try WireCoding.encode(self), as: UTF8.self) }
}

/// A number for a text, the same in every process (FNV-1a). It fits a JSON number and is short.
func shortHash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
}
