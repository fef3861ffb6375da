import Crypto
import CryptoExtras
public import Foundation
import TrendyDomain

/// How much work it is to try one password (scrypt, RFC 7914).
public struct PasswordCost: Sendable, Hashable {
    /// N: a power of two. Memory is 128 · N · blockSize bytes.
    public var rounds: Int
    /// r
    public var blockSize: Int
    /// p
    public var parallelism: Int

    /// Makes a cost of scrypt's three parameters.
    public init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// 16 MiB and a fraction of a second: N = 2^14, r = 8, p = 5, from OWASP's Password Storage Cheat Sheet.
    public static let standard = PasswordCost(rounds: 16_384, blockSize: 8, parallelism: 5)
    /// Next to nothing, for tests and simulations.
    public static let minimal = PasswordCost(rounds: 2, blockSize: 1, parallelism: 1)
}

/// What is kept of a password: it can be checked, and not be read.
public struct PasswordHash: Sendable, Hashable {
    /// What scrypt made of password and salt.
    public var hash: Data
    /// Random, different for each account.
    public var salt: Data
    /// The cost that the hash was made at, which checking it needs again.
    public var cost: PasswordCost

    /// Makes a hash of its parts, as they were stored.
    public init(hash: Data, salt: Data, cost: PasswordCost) {
        self.hash = hash
        self.salt = salt
        self.cost = cost
    }

    /// Derives what is kept of a password.
    init(of password: String, salt: Data, cost: PasswordCost) throws {
        let key = try Self.derive(password, salt, cost)
        self.init(hash: key.withUnsafeBytes { Data($0) }, salt: salt, cost: cost)
    }

    /// Whether that is the password. It takes the same time for every answer.
    func matches(_ password: String) throws -> Bool {
        // Equality of symmetric keys is compared in constant time.
        try Self.derive(password, salt, cost) == SymmetricKey(data: hash)
    }

    private static func derive(_ password: String, _ salt: Data, _ cost: PasswordCost) throws -> SymmetricKey {
        // The same password typed on two systems may be composed differently (é as one scalar or as two).
        let text = password.precomposedStringWithCanonicalMapping
        return try KDF.Scrypt.deriveKey(
            from: Data(text.utf8), salt: salt, outputByteCount: 32, rounds: cost.rounds, blockSize: cost.blockSize,
            parallelism: cost.parallelism)
    }
}
