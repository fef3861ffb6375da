#if Postgres
    import Crypto
    import Foundation
    import TrendyDomain

    /// Ids and keys as the bytes that tables and indexes have of them.
    ///
    /// They are no TEXT, which cannot have U+0000 and is sorted by the database's language.
    enum PostgresKey {
        /// An index takes no more than 2,704 bytes of a row.
        private static let longest = 512

        /// The 16 bytes of a UUID in lower case. Any other text is its UTF-8 with one byte at its end that says how many to
        /// leave out, or with two of them where it would have 16 as well.
        static func id(_ text: String) -> [UInt8] {
            if let (high, low) = UUIDText.parse(text) {
                return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
            }
            let utf8 = Array(text.utf8)
            return utf8.count == 15 ? utf8 + [2, 2] : utf8 + [1]
        }

        static func text(ofId bytes: Data) -> String {
            guard bytes.count == 16 else {
                return String(decoding: bytes.dropLast(Int(bytes.last ?? 0)), as: UTF8.self)
            }
            let (high, low) = bytes.withUnsafeBytes {
                ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
            return UUIDText.text(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        }

        /// What stands for a text that is looked for and never read back: a hash where it is long. No UTF-8 begins with
        /// the byte that the hash begins with.
        static func key(_ text: String) -> [UInt8] {
            let bytes = id(text)
            return bytes.count <= longest ? bytes : [0xFF] + SHA256.hash(data: bytes)
        }
    }
#endif
