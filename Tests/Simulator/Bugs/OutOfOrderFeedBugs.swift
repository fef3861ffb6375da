import Foundation
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let outOfOrderFeedBugs = [feedIsNotReadAgain, feedSettlesAtOnce, lateChangeWins]

    /// The young stretch of the feed is not read again.
    private static let feedIsNotReadAgain = PlantedBug(
        name: "feed overlap is removed", promise: .outOfOrderFeeds, knownSeed: 1, needs: [.slowCommit],
        configure: { $0.feedOverlap = 0 })

    /// A change counts as settled as soon as it was seen.
    private static let feedSettlesAtOnce = PlantedBug(
        name: "feed settles at once", promise: .outOfOrderFeeds, knownSeed: 1, needs: [.slowCommit],
        configure: { $0.feedSettlingTime = 0 })

    /// A change that appears late takes the place of a later one that was applied before it.
    private static let lateChangeWins = PlantedBug(
        name: "late change wins over a later one", promise: .outOfOrderFeeds, knownSeed: 1, needs: [.slowCommit],
        plant: { _ in .store { ForgetsRecords($0) } })
}

private final class ForgetsRecords: ForwardingStore {
    override func setMetadata(_ key: String, _ value: String?) throws {
        guard key == MetadataKey.feedWindow, let value,
            var window = try? WireCoding.decode([String: JSONValue].self, from: Data(value.utf8)),
            case .array(let entries)? = window["entries"]
        else { return try super.setMetadata(key, value) }
        window["entries"] = .array(
            entries.map { entry in
                var fields = entry.objectValue ?? [:]
                fields["entityId"] = .string("")
                return .object(fields)
            })
        try super.setMetadata(key, String(decoding: WireCoding.encode(window), as: UTF8.self))
    }
}
