import Foundation
import TrendyDomain
import TrendySync

extension PlantedBug {
    static let singleFlightBugs = [leaseIsIgnored, leaseOutlivesProcess, requestOutlastsLease]

    /// A sync begins though another process holds the lease.
    private static let leaseIsIgnored = PlantedBug(
        name: "lease is ignored", promise: .singleFlight, knownSeed: 67, other: .polite,
        plant: { _ in
            let own = Memory<String?>(nil)
            return .store { BlindToLease($0, own) }
        })

    /// The lease of a process that has died is never free again.
    private static let leaseOutlivesProcess = PlantedBug(
        name: "lease never expires", promise: .singleFlight, knownSeed: 4,
        plant: { site in
            Tampering(
                store: Tampering.store { EternalLease($0, site.clock) }.store,
                owner: { LeaseOwner(name: $0.name) { _ in true } })
        })

    /// A request begins though the lease may end before it.
    private static let requestOutlastsLease = PlantedBug(
        name: "request outlasts the lease", promise: .singleFlight, knownSeed: 263,
        configure: { $0.leaseDuration = 40_000 },
        plant: { _ in
            let own = Memory<String?>(nil)
            return .store { LongLease($0, own) }
        })
}

/// Shows the holder of a lease an end that is further off than it is.
private final class LongLease: ForwardingStore {
    private let own: Memory<String?>

    init(_ base: any DataStoreProtocol, _ own: Memory<String?>) {
        self.own = own
        super.init(base)
    }

    override func metadata(_ key: String) throws -> String? {
        guard key == MetadataKey.lease, let value = try super.metadata(key), value == own.use({ $0 })
        else { return try super.metadata(key) }
        return try withEnd(value) { $0.advanced(byMilliseconds: 110_000) }
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        if key == MetadataKey.lease { own.use { $0 = value } }
        try super.setMetadata(key, value)
    }
}

/// A lease with another end.
private func withEnd(_ lease: String, _ change: (Timestamp) -> Timestamp) throws -> String {
    var row = try WireCoding.decode([String: JSONValue].self, from: Data(lease.utf8))
    let end = row["expiresAt"]?.stringValue.flatMap { Timestamp($0) }
    if let end { row["expiresAt"] = .string(change(end).description) }
    return String(decoding: try WireCoding.encode(row), as: UTF8.self)
}

/// Shows a process no lease but its own.
private final class BlindToLease: ForwardingStore {
    private let own: Memory<String?>

    init(_ base: any DataStoreProtocol, _ own: Memory<String?>) {
        self.own = own
        super.init(base)
    }

    override func metadata(_ key: String) throws -> String? {
        key == MetadataKey.lease ? own.use { $0 } : try super.metadata(key)
    }

    override func setMetadata(_ key: String, _ value: String?) throws {
        if key == MetadataKey.lease { own.use { $0 = value } }
        try super.setMetadata(key, value)
    }
}

private final class EternalLease: ForwardingStore {
    private let clock: any WallClock

    init(_ base: any DataStoreProtocol, _ clock: any WallClock) {
        self.clock = clock
        super.init(base)
    }

    override func metadata(_ key: String) throws -> String? {
        guard key == MetadataKey.lease, let value = try super.metadata(key) else { return try super.metadata(key) }
        return try withEnd(value) { _ in clock.now().advanced(byMilliseconds: 60_000) }
    }
}
