import Foundation
import TrendyDomain

/// What the key of a mutation stands for, as eight bytes (FNV-1a, 64 bits).
///
/// The data counts as it was written: who sends a mutation again sends the same bytes. Where the same value is written in
/// another way, the mutation is judged by its base, which does no harm.
enum MutationDigest {
    static func of(_ operation: MutationOperation, _ record: RecordKey, _ data: Data?) -> Int64 {
        var hash = ofRecord(record)
        // No operation begins as another one ends, and a deletion has no data.
        add(operation.rawValue.utf8, to: &hash)
        if operation != .delete, let data { data.withUnsafeBytes { add($0, to: &hash) } }
        return Int64(bitPattern: hash)
    }

    /// Whether a kept outcome is that of a mutation. Of keys that are kept without their data, the record tells.
    static func matches(_ kept: Int64, _ mutation: SyncBody.Mutation) -> Bool {
        kept == mutation.digest || kept == Int64(bitPattern: ofRecord(mutation.record))
    }

    private static func ofRecord(_ record: RecordKey) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        add(record.entityType.rawValue.utf8, to: &hash)
        add(record.id.utf8, to: &hash)
        return hash
    }

    private static func add(_ bytes: some Sequence<UInt8>, to hash: inout UInt64) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}
