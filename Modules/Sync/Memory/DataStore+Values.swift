import Foundation
import TrendyDomain

extension DataStoreProtocol {
    /// A value that was set by ``setValue(_:for:)``; nil where there is none or it cannot be read.
    func value<Value: Decodable>(_ type: Value.Type, for key: String) throws -> Value? {
        guard let text = try metadata(key) else { return nil }
        return try? WireCoding.decode(type, from: Data(text.utf8))
    }

    /// Remembers a value as JSON; nil forgets it.
    func setValue<Value: Encodable>(_ value: Value?, for key: String) throws {
        guard let value else { return try setMetadata(key, nil) }
        try setMetadata(key, String(decoding: encoded(value), as: UTF8.self))
    }

    /// The feed's cursor; nil before the first bootstrap.
    func cursor() throws -> Int64? {
        try metadata(MetadataKey.cursor).flatMap { Int64($0) }
    }

    /// True where everything is to be fetched: nothing was yet, a bootstrap was cut off, or a full resync was asked for.
    func needsBootstrap() throws -> Bool {
        if let resync = try metadata(MetadataKey.fullResync), resync != FullResync.owed { return true }
        return try metadata(MetadataKey.bootstrap) != nil || cursor() == nil
    }

    /// Asks for a full resync that the device could do without. One that was put off is done now.
    func askForFullResync() throws {
        try begin()
        switch try metadata(MetadataKey.fullResync) {
        case nil: try setMetadata(MetadataKey.fullResync, FullResync.asked)
        case FullResync.owed: try demandFullResync()
        default: break
        }
    }

    /// Asks for a full resync that the device cannot do without.
    func demandFullResync() throws { try setMetadata(MetadataKey.fullResync, FullResync.needed) }

    /// Forgets a full resync that was only asked for. One that the device cannot do without stays.
    func giveUpFullResync() throws {
        if try metadata(MetadataKey.fullResync) == FullResync.asked { try setMetadata(MetadataKey.fullResync, nil) }
    }

    /// Forgets a full resync that was only asked for, and puts off one that the device cannot do without: until somebody
    /// asks, or until the feed is seen to be the one that this device has read.
    func putOffFullResync() throws {
        try giveUpFullResync()
        if try metadata(MetadataKey.fullResync) == FullResync.needed {
            try setMetadata(MetadataKey.fullResync, FullResync.owed)
        }
    }

    /// Whether a full resync was put off.
    var owesFullResync: Bool { get throws { try metadata(MetadataKey.fullResync) == FullResync.owed } }

    /// Moves the feed's cursor. It never goes back.
    func advanceCursor(to cursor: Int64) throws {
        let present = try self.cursor() ?? .min
        if cursor > present { try setMetadata(MetadataKey.cursor, String(cursor)) }
    }

    /// The mutations of a record that have not been settled for good: waiting, under way, parked.
    func openMutations(_ entityType: EntityType, _ entityId: String) throws -> [PendingMutation] {
        try fetchMutations(
            MutationQuery(states: [.queued, .sending, .parked], entityType: entityType, entityId: entityId))
    }
}

/// What ``MetadataKey/fullResync`` says.
private enum FullResync {
    static let asked = "asked"
    static let needed = "1"
    static let owed = "owed"
}

/// Encodes one of the engine's own values; those always encode.
func encoded(_ value: some Encodable) throws(StoreError) -> Data {
    do {
        return try WireCoding.encode(value)
    } catch {
        throw .failed("a value cannot be encoded: \(error)")
    }
}
