import Configuration
import Foundation
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// What was said about the settings of a server: by options, by the environment and by a configuration file, the strongest
/// first.
struct ServeSources {
    private let layers: [(name: String, values: [ServeSetting: String])]

    /// - Parameters:
    ///   - options: What the command line says.
    ///   - environment: The variables of the process; empty ones count as not set.
    ///   - file: The path of the configuration file; nil for none.
    /// - Throws: ``CommandFailure`` where the file cannot be read, or names what is no setting.
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
            throw CommandFailure(.usage, "there is no configuration file \(path); make it, or leave --config out")
        }
        var values: [ServeSetting: String] = [:]
        for key in document.keys {
            guard let setting = ServeSetting(rawValue: key) else {
                let names = ServeSetting.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure.data("the configuration file \(path) has '\(key)', which is none of \(names)")
            }
            guard let value = document.value(key), value != .null else { continue }
            values[setting] = text(of: value)
        }
        return values
    }

    /// A list is written with commas, as an option has it.
    private static func text(of value: JSONValue) -> String {
        guard case .array(let elements) = value else { return JSONText.of(value) }
        return elements.map(JSONText.of).joined(separator: ",")
    }

    /// The text that was given for a setting, and where; nil where nothing was said.
    func text(_ setting: ServeSetting) -> (text: String, place: String)? {
        guard let place = layers.first(where: { $0.values[setting] != nil })?.name else { return nil }
        return reader.string(forKey: ConfigKey([setting.rawValue])).map { ($0, place) }
    }

    private var reader: ConfigReader {
        ConfigReader(
            providers: layers.map { layer in
                InMemoryProvider(
                    name: layer.name,
                    values: Dictionary(
                        uniqueKeysWithValues: layer.values.map {
                            (AbsoluteConfigKey([$0.key.rawValue]), ConfigValue(.string($0.value), isSecret: false))
                        }))
            })
    }
}
