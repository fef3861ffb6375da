public import Foundation

// Written by hand, because a request has thousands of mutations. The names are in the order of the alphabet.

extension SyncRequest {
    /// The JSON of the request, byte for byte as ``WireCoding`` encodes it, in a part of the time.
    ///
    /// - Throws: `EncodingError` for a number that JSON cannot hold.
    public func json() throws -> Data {
        guard mutations.allSatisfy({ $0.kept?.isFinite ?? true }) else { return try WireCoding.encode(self) }
        var writer = JSONWriter()
        writer.write("{")
        if let cursor {
            writer.write(#""cursor":"#)
            writer.writeQuoted(cursor)
            writer.write(",")
        }
        if let epoch {
            writer.write(#""epoch":"#)
            writer.writeQuoted(epoch)
            writer.write(",")
        }
        writer.write(#""limit":"#)
        writer.write(limit)
        writer.write(#","mutations":"#)
        try writer.writeArray(mutations) { try $1.write(to: &$0) }
        writer.write("}")
        return writer.data
    }
}

extension SyncMutation {
    fileprivate func write(to writer: inout JSONWriter) throws {
        writer.write(#"{"base":"#)
        writer.write(base)
        if let kept {
            writer.write(#","data":"#)
            try kept.write(to: &writer)
        }
        writer.write(#","entity_id":"#)
        writer.writeQuoted(entityId)
        writer.write(#","entity_type":"#)
        writer.writeQuoted(entityType.rawValue)
        writer.write(#","key":"#)
        writer.writeQuoted(key)
        writer.write(#","operation":"#)
        writer.writeQuoted(operation.rawValue)
        writer.write("}")
    }
}
