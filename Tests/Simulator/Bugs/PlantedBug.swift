import TrendyData
import TrendyDomain
import TrendyServer
import TrendySync

/// A mistake that is planted between an engine and what it works with, to see that the simulator finds it.
///
/// The product has no part in it: a bug changes what an engine sees of its store and its server, the numbers that it
/// works by, or what the server reads.
public struct PlantedBug: Sendable, CustomStringConvertible {
    /// What is wrong.
    public let name: String
    /// The promise that it breaks.
    public let promise: Promise
    /// A seed whose history finds it.
    public let knownSeed: UInt64
    /// Whether that history has the length that its seed draws. It is a short one otherwise.
    public var isRare = false
    /// The way to the server for which it is made.
    public var gateway = Gateway.exact
    /// Another promise that it breaks as well, and that may be the first to name it.
    var other: Promise?
    /// Faults without which it does no harm.
    var needs: [Fault] = []
    /// Whether it needs devices that follow the server.
    public var follows = false
    /// Whether it needs stores that are copied.
    public var copies = false
    /// How often a device that follows asks, in seconds.
    var followInterval: Double?
    var configure: (@Sendable (inout SyncConfiguration) -> Void)?
    /// What the server takes a request for.
    var misreads: (@Sendable (TransportRequest, SimulatedServer) -> TransportRequest)?
    /// A kind that the server keeps in place of its own.
    var serverKind: RecordKind?
    /// Called at each start of a process, so that what it remembers is forgotten with the process.
    var plant: (@Sendable (PlantingSite) -> Tampering)?

    public var description: String { name }

    /// Whether a violation is of what it breaks.
    public func isNamed(by violation: Violation) -> Bool {
        violation.promise == promise || violation.promise == other
    }

    /// The bug of that name; nil where there is none.
    public static func named(_ name: String) -> PlantedBug? { all.first { $0.name == name } }
}

/// What a bug can use of the process that it is planted in.
struct PlantingSite: Sendable {
    var clock: any WallClock
    var executor: any TaskExecutor
}

/// What a bug does to one process.
struct Tampering: Sendable {
    var store: (any StoreTampering)?
    var transport: (any TransportTampering)?
    var owner: (@Sendable (LeaseOwner) -> LeaseOwner)?
}
