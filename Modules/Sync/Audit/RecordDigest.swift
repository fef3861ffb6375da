public import TrendyDomain

/// A number for a set of records: equal sets have equal digests, in whatever order their records come.
///
/// It is the sum, modulo 2^128, of the FNV-1a hashes (128 bits; Fowler, Noll and Vo) of the records' canonical
/// encoding: their own fields as JSON with sorted keys, without what only one side keeps. It finds mistakes. It does
/// not protect against somebody who makes two sets with one digest on purpose.
public struct RecordDigest: Sendable, Hashable, CustomStringConvertible {
    private var sum: UInt128 = 0

    /// The digest of no records.
    public init() {}

    /// Adds a record.
    ///
    /// - Throws: `EncodingError` where the record has no JSON.
    public mutating func add(_ record: some SyncEntity) throws {
        sum &+= Self.hash(try WireCoding.encode(record))
    }

    /// Adds all records of another digest, which has none of the same.
    public mutating func add(_ other: RecordDigest) {
        sum &+= other.sum
    }

    /// The digest in 32 hexadecimal digits.
    public var description: String {
        let digits = String(sum, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }

    private static let offsetBasis: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b

    static func hash(_ bytes: some Sequence<UInt8>) -> UInt128 {
        bytes.reduce(offsetBasis) { ($0 ^ UInt128($1)) &* prime }
    }
}
