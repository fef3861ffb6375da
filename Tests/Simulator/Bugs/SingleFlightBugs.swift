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

    /// A lease ends before a request that began with it.
    private static let requestOutlastsLease = PlantedBug(
        name: "request outlasts the lease", promise: .singleFlight, knownSeed: 276,
        configure: { $0.leaseDuration = 5_000 })
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
        guard key == MetadataKey.lease, let value = try super.metadata(key),
            var row = try? WireCoding.decode([String: JSONValue].self, from: Data(value.utf8))
        else { return try super.metadata(key) }
        row["expiresAt"] = .string(clock.now().advanced(byMilliseconds: 60_000).description)
        return String(decoding: try WireCoding.encode(row), as: UTF8.self)
    }
}
