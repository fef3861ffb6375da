/// How an event came to be logged.
public struct SourceType: RawRepresentable, Codable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let manual = SourceType(rawValue: "manual")
    public static let imported = SourceType(rawValue: "imported")
    public static let geofence = SourceType(rawValue: "geofence")
    public static let healthKit = SourceType(rawValue: "healthkit")

    /// The sources that the contract names.
    public static let known: [SourceType] = [.manual, .imported, .geofence, .healthKit]
}
