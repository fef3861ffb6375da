import Foundation
import TrendyDomain

/// An e-mail address and a password, as a person gives them.
public struct PasswordCredentials: Sendable, Hashable {
    /// The address of the account.
    public var email: String
    /// The password as the person typed it.
    public var password: String

    /// Makes credentials of an address and a password, unchecked.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }

    /// The shortest password that is accepted, in characters.
    public static let shortestPassword = 8
    /// The longest one, in bytes: hashing more is work that a stranger could cause.
    static let longestPassword = 1024
    /// The longest address, in bytes (RFC 5321, section 4.5.3.1.3).
    static let longestEmail = 254

    /// The address as it is stored and compared: one form of each letter (NFC), in lower case.
    var normalizedEmail: String {
        email.trimmingCharacters(in: .whitespacesAndNewlines).lowercased().precomposedStringWithCanonicalMapping
    }

    /// Checks what a new account must fulfil.
    ///
    /// - Parameter field: What the password is called where it came from.
    /// - Throws: ``ServerProblem`` with every wrong field.
    func check(passwordField field: String = "password") throws {
        var checks = FieldChecks()
        checks.require(Self.isEmail(normalizedEmail), "email", "must be an e-mail address")
        checks.require(
            password.count >= Self.shortestPassword, field,
            "must have at least \(Self.shortestPassword) characters", code: "too_short")
        checks.require(
            password.utf8.count <= Self.longestPassword, field,
            "must have at most \(Self.longestPassword) bytes", code: "too_long")
        checks.require(
            !isOwnAddress && !CommonPassword.matches(password), field,
            "is one of those that are tried first; choose another", code: "too_common")
        if checks.errors.isEmpty { return }
        let parts = checks.errors.map { "\($0.field) \($0.message)" }
        throw ServerProblem(.validation, parts.joined(separator: "; "), errors: checks.errors)
    }

    /// Whether the password is the address, or what is before the @ of it.
    private var isOwnAddress: Bool {
        let folded = password.precomposedStringWithCanonicalMapping.lowercased()
        return folded == normalizedEmail || folded == normalizedEmail.prefix { $0 != "@" }
    }

    static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= longestEmail, !parts[0].isEmpty, !parts[1].isEmpty else {
            return false
        }
        let isPlain = text.unicodeScalars.allSatisfy {
            !$0.properties.isWhitespace && $0.properties.generalCategory != .control
        }
        return isPlain && !parts[1].hasPrefix(".") && !parts[1].hasSuffix(".") && !parts[1].contains("..")
    }
}
