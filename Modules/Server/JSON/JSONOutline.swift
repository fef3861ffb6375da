import Foundation
import TrendyDomain

/// What a body holds, found without decoding it: its parts by their place in the bytes, and what is in it that
/// JSON allows but no value of ours can hold.
///
/// Foundation's decoder takes more than RFC 8259 does, and says of numbers and strings that it cannot hold that
/// the JSON as a whole is broken. So each body passes here first.
struct JSONOutline {
    /// The deepest nesting that is decoded; Foundation's decoder gives up at 512.
    static let deepest = 128

    enum Kind: Hashable {
        case object, array, string, number, literal
    }

    /// Something that no value of ours can hold.
    struct Trouble: Hashable {
        var path: [String]
        var message: String
    }

    struct Member: Hashable {
        var name: String
        var value: Range<Int>
        var kind: Kind
        /// The elements of an array, by their offsets in the bytes.
        var elements: [Range<Int>] = []
    }

    var kind = Kind.literal
    /// The members of the outermost object, by their offsets in the bytes.
    var members: [Member] = []
    /// The first of the troubles.
    var troubles: [Trouble] = []

    init() {}

    /// - Throws: ``JSONFault`` where the bytes are no JSON (RFC 8259) in UTF-8.
    init(of data: Data) throws(JSONFault) {
        let result = data.withUnsafeBytes { buffer in
            var scanner = JSONScanner(bytes: buffer)
            return Result { () throws(JSONFault) in
                try scanner.scan()
                return scanner.outline
            }
        }
        self = try result.get()
    }
}
