import Foundation
import HTTPTypes
import Hummingbird
import TrendyDomain

/// Gives each request an id, by which the log, the answer and a proxy before the server name it.
struct RequestName: Sendable {
    /// The longest id that is taken over.
    static let longest = 128

    let ids: any IdentifierGenerator
    /// Whether a caller at that address may name his requests.
    let isTrusted: @Sendable (String) -> Bool

    /// The id that a trusted caller has given, where it can stand in a line of the log; else a new one.
    func name(_ request: Request, from address: String) -> String {
        guard let given = request.headers.value(HeaderName.requestId), isTrusted(address), Self.isUsable(given) else {
            return ids.makeId()
        }
        return given
    }

    private static func isUsable(_ id: String) -> Bool {
        (1...longest).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                    UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
                    true
                default: false
                }
            }
    }
}
