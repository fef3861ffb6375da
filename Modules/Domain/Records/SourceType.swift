/// How an event came to be logged.
public struct SourceType: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible {
    /// The name on the wire.
    public let rawValue: String

    /// Makes a source of its name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name on the wire.
    public var description: String { rawValue }

    /// The person logged it.
    public static let manual = SourceType(rawValue: "manual")
    /// It was imported from elsewhere.
    public static let imported = SourceType(rawValue: "imported")
    /// A geofence was entered or left.
    public static let geofence = SourceType(rawValue: "geofence")
    /// It came from HealthKit.
    public static let healthKit = SourceType(rawValue: "healthkit")

    /// The sources that the contract names.
    public static let known: [SourceType] = [.manual, .imported, .geofence, .healthKit]
}
