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

    /// Whether the next sync takes everything anew: none has ended yet, a resync was cut off, or one was asked for.
    func needsBootstrap() throws -> Bool { try exchangePlace().resync != nil }

    /// Makes the next sync take everything anew.
    func askForFullResync(_ reason: ExchangePlace.Resync = .asked) throws {
        try begin()
        var place = try exchangePlace()
        place.restart(reason)
        try setExchangePlace(place)
    }
}

/// Encodes one of the engine's own values; those always encode.
func encoded(_ value: some Encodable) throws(StoreError) -> Data {
    do {
        return try WireCoding.encode(value)
    } catch {
        throw .failed("a value cannot be encoded: \(error)")
    }
}
