import Foundation
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let outOfOrderFeedBugs = [feedIsNotReadAgain, feedSettlesAtOnce]

    /// The young stretch of the feed is not read again.
    private static let feedIsNotReadAgain = PlantedBug(
        name: "feed overlap is removed", promise: .outOfOrderFeeds, knownSeed: 29, gateway: .rest, other: .cursor,
        needs: [.slowCommit],
        plant: { _ in
            .store {
                ChangedFeedMemory($0) { feed in
                    feed["settled"] = feed["newest"]
                    feed["entries"] = .array([])
                }
            }
        })

    /// A change counts as settled as soon as it was seen.
    private static let feedSettlesAtOnce = PlantedBug(
        name: "feed settles at once", promise: .outOfOrderFeeds, knownSeed: 2, gateway: .rest, other: .cursor,
        needs: [.slowCommit],
        plant: { _ in
            .store {
                ChangedFeedMemory($0) { feed in feed["settled"] = feed["newest"] }
            }
        })
}

/// Changes what is remembered of the feed that was read.
private final class ChangedFeedMemory: ForwardingStore {
    private let change: (inout Fields) -> Void

    init(_ base: any DataStoreProtocol, _ change: @escaping (inout Fields) -> Void) {
        self.change = change
        super.init(base)
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        guard key == MetadataKey.exchange, let value, var place = Self.fields(value),
            let text = place["cursor"]?.stringValue,
            var cursor = Self.fields(String(text.dropFirst(DevicePlace.restPrefix.count))),
            var feed = cursor["feed"]?.objectValue
        else { return try super.setMetadata(key, value) }
        change(&feed)
        cursor["feed"] = .object(feed)
        let json = String(decoding: try WireCoding.encode(cursor), as: UTF8.self)
        place["cursor"] = .string(DevicePlace.restPrefix + json)
        try super.setMetadata(key, String(decoding: WireCoding.encode(place), as: UTF8.self))
    }

    private static func fields(_ text: String) -> Fields? { try? WireCoding.decode(Fields.self, from: Data(text.utf8)) }
}
