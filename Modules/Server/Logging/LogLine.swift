import Foundation
import Logging
import TrendyDomain

/// An event of the log. Whatever is in it, it is written as one line.
struct LogLine {
    let time: Timestamp
    let level: Logger.Level
    let message: String
    let details: Logger.Metadata

    /// `2026-11-26T12:00:00.000Z info request id=… status=200`.
    var text: String {
        let words = ["\(time)", level.rawValue, Self.oneLine(message)]
        return (words + sorted.map { "\($0.key)=\(Self.word("\($0.value)"))" }).joined(separator: " ") + "\n"
    }

    /// `{"time":"…","level":"info","message":"request","id":"…","status":200}`.
    var json: String {
        var members = [("time", JSONText.quoted("\(time)")), ("level", JSONText.quoted(level.rawValue))]
        members.append(("message", JSONText.quoted(message)))
        members += sorted.map { ($0.key, Self.json($0.value)) }
        return "{" + members.map { "\(JSONText.quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}\n"
    }

    private var sorted: [(key: String, value: Logger.Metadata.Value)] { details.sorted { $0.key < $1.key } }

    private static func json(_ value: Logger.Metadata.Value) -> String {
        switch value {
        case .stringConvertible(let number as Int): "\(number)"
        case .stringConvertible(let number as Double) where number.isFinite: "\(number)"
        default: JSONText.quoted("\(value)")
        }
    }

    /// A value that ends where the next blank is; with quotation marks where it has blanks of its own.
    private static func word(_ value: String) -> String {
        let line = oneLine(value)
        let isPlain = !line.isEmpty && !line.contains { $0 == " " || $0 == "\"" || $0 == "=" }
        return isPlain ? line : "\"\(line.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    private static func oneLine(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }
}
