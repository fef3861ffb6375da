import Foundation
import Logging
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

/// A setting of `trendy serve`. The option, the environment variable and the member of the file have the same name.
enum ServeSetting: String, CaseIterable {
    case port, host, data, database, metrics, closed
    case rateLimit = "rate-limit"
    case signInLimit = "sign-in-limit"
    case connectionLimit = "connection-limit"
    case trustedProxy = "trusted-proxy"
    case noRateLimit = "no-rate-limit"
    case quotaRecords = "quota-records"
    case quotaBytes = "quota-bytes"
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// The environment variable: `TRENDY_SERVE_RATE_LIMIT`.
    var variable: String { "TRENDY_SERVE_" + rawValue.uppercased().replacing("-", with: "_") }
}

/// The settings of a server.
struct ServeSettings: Equatable {
    var host: String
    var port: Int
    var data: String?
    var database: String?
    var metrics: MetricsAddress?
    /// Whether sign-ups need an invitation.
    var isClosed: Bool
    /// The limit of connections per address; nil for the default.
    var connectionLimit: Int?
    /// The proxies whose headers have the address of the client.
    var trustedProxies: [AddressBlock]
    var limits: ServerConfiguration.Limits
    var quota: AccountQuota
    var log: ServerLog.Settings

    /// Reads the settings, with defaults for missing ones.
    ///
    /// - Throws: ``CommandFailure`` for a wrong value, with the setting, the source and the allowed values.
    init(_ sources: ServeSources) throws {
        func number(_ setting: ServeSetting, _ range: ClosedRange<Int>) throws -> Int? {
            try sources.value(setting, "must be a whole number from \(range.lowerBound) to \(range.upperBound)") {
                Int($0).flatMap { range.contains($0) ? $0 : nil }
            }
        }
        host = sources.text(.host)?.text ?? "127.0.0.1"
        port = try number(.port, 0...65_535) ?? 8080
        data = sources.text(.data)?.text
        database = sources.text(.database)?.text
        if data != nil && database != nil {
            throw CommandFailure.usage("--database and --data cannot be used together")
        }
        if data?.isEmpty == true { throw CommandFailure.usage("--data needs a folder") }
        metrics = try sources.value(.metrics, "must be HOST:PORT, like 127.0.0.1:9090") { MetricsAddress($0) }
        func flag(_ setting: ServeSetting) throws -> Bool {
            try sources.value(setting, "must be true or false") { Bool($0) } ?? false
        }
        isClosed = try flag(.closed)
        let rate = try sources.value(.rateLimit, Self.limitRule) { Self.limit($0) }
        let signIns = try sources.value(.signInLimit, Self.limitRule) { Self.limit($0) }
        let isUnlimited = try flag(.noRateLimit)
        if isUnlimited && (rate != nil || signIns != nil) {
            throw CommandFailure.usage("--no-rate-limit cannot be used with another limit")
        }
        limits = isUnlimited ? .unlimitedRequests : ServerConfiguration.Limits()
        if let rate { limits.requestsPerMinute = rate }
        if let signIns { limits.signInsPerMinute = signIns }
        connectionLimit = try number(.connectionLimit, 1...Int.max)
        trustedProxies = try sources.value(.trustedProxy, Self.proxyRule) { Self.blocks($0) } ?? []
        quota = AccountQuota(
            records: try number(.quotaRecords, 0...Int.max), bytes: try number(.quotaBytes, 0...Int.max))
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        let formats = ServerLog.Format.allCases.map(\.rawValue).joined(separator: " or ")
        log = ServerLog.Settings()
        if let level = try sources.value(.logLevel, "must be one of \(levels)", { Logger.Level(rawValue: $0) }) {
            log.level = level
        }
        if let format = try sources.value(.logFormat, "must be \(formats)", { ServerLog.Format(rawValue: $0) }) {
            log.format = format
        }
    }

    private static let limitRule = "must be at least 1; --no-rate-limit removes the limit"

    private static func limit(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

    private static let proxyRule = "must be addresses (10.0.0.1) or blocks (10.0.0.0/8), separated by commas"

    private static func blocks(_ text: String) -> [AddressBlock]? {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let blocks = names.compactMap { AddressBlock($0.filter { !$0.isWhitespace }) }
        return blocks.count == names.count ? blocks : nil
    }

    /// The names of the changed settings that need a restart.
    func fixedDifferences(from other: ServeSettings) -> [String] {
        var names: [ServeSetting] = []
        if host != other.host { names.append(.host) }
        if port != other.port { names.append(.port) }
        if data != other.data { names.append(.data) }
        if database != other.database { names.append(.database) }
        if metrics != other.metrics { names.append(.metrics) }
        if connectionLimit != other.connectionLimit { names.append(.connectionLimit) }
        if trustedProxies != other.trustedProxies { names.append(.trustedProxy) }
        if isClosed != other.isClosed { names.append(.closed) }
        return names.map(\.rawValue)
    }
}

extension ServeSources {
    /// The value of a setting; nil if it is not set.
    fileprivate func value<Value>(
        _ setting: ServeSetting, _ rule: String, _ read: (String) -> Value?
    ) throws -> Value? {
        guard let (text, place) = text(setting) else { return nil }
        guard let value = read(text) else {
            throw CommandFailure.usage("--\(setting.rawValue) \(rule); '\(text)' (from \(place)) is not")
        }
        return value
    }
}

/// The sources of the settings of a server: options, then the environment, then the configuration file.
struct ServeSources {
    private let layers: [(name: String, values: [ServeSetting: String])]

    /// - Parameters:
    ///   - options: The options of the command line.
    ///   - environment: The variables of the process; an empty one counts as not set.
    ///   - file: The path of the configuration file; nil for none.
    /// - Throws: ``CommandFailure`` if the file cannot be read, or has an unknown setting.
    init(options: [ServeSetting: String], environment: [String: String], file: String?) throws {
        var variables: [ServeSetting: String] = [:]
        for setting in ServeSetting.allCases {
            if let text = environment[setting.variable], !text.isEmpty { variables[setting] = text }
        }
        layers = [
            ("the command line", options), ("the environment", variables),
            (file ?? "", try file.map { try Self.read($0) } ?? [:]),
        ]
    }

    private static func read(_ path: String) throws -> [ServeSetting: String] {
        guard let document = try ConfigurationFile(path: path).read() else {
            throw CommandFailure(.usage, "there is no configuration file \(path); create it, or leave --config out")
        }
        var values: [ServeSetting: String] = [:]
        for key in document.keys {
            guard let setting = ServeSetting(rawValue: key) else {
                let names = ServeSetting.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure.data(
                    "the configuration file \(path) has the unknown setting '\(key)'; use \(names)")
            }
            guard let value = document.value(key), value != .null else { continue }
            values[setting] = text(of: value)
        }
        return values
    }

    /// Lists become texts with commas, like the value of an option.
    private static func text(of value: JSONValue) -> String {
        guard case .array(let elements) = value else { return JSONValueText.of(value) }
        return elements.map(JSONValueText.of).joined(separator: ",")
    }

    /// The text of a setting and its source; nil if it is not set.
    func text(_ setting: ServeSetting) -> (text: String, place: String)? {
        layers.lazy.compactMap { layer in layer.values[setting].map { ($0, layer.name) } }.first
    }
}
