import Foundation
import TrendyDomain

extension Secret {
    /// When the token runs out, where it is a JSON Web Token that says so (RFC 7519, section 4.1.4).
    ///
    /// Its signature is not checked: the server refuses the token, and this tells only why.
    var expiry: Timestamp? {
        let parts = value.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        guard let json = Data(base64Encoded: text), let claims = try? WireCoding.decode(JSONValue.self, from: json),
            let seconds = claims.objectValue?["exp"]?.doubleValue
        else { return nil }
        return Timestamp(milliseconds: 0).advanced(bySeconds: seconds)
    }
}
