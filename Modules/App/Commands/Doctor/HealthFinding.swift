import Foundation
import TrendyTerminal

/// What a check of `trendy doctor` found.
struct HealthFinding: Sendable, Hashable {
    enum Level: String, Encodable, Sendable {
        case ok, warning, problem
    }

    var level: Level
    /// What was found, and of what.
    var message: String
    /// What to do about it; nil where nothing need be done.
    var remedy: String?
    /// The exit code that a problem asks for.
    var status: CommandStatus

    static func ok(_ message: String) -> HealthFinding {
        HealthFinding(level: .ok, message: message, remedy: nil, status: .done)
    }

    /// Something that works now, and that somebody should know.
    static func warning(_ message: String, remedy: String) -> HealthFinding {
        HealthFinding(level: .warning, message: message, remedy: remedy, status: .done)
    }

    static func problem(_ message: String, remedy: String?, _ status: CommandStatus) -> HealthFinding {
        HealthFinding(level: .problem, message: message, remedy: remedy, status: status)
    }

    /// What an error says: its message ends with what to do, after a semicolon.
    static func problem(_ error: any Error) -> HealthFinding {
        let failure = CommandFailure(error)
        let (message, remedy) = split(failure.message)
        return .problem(message, remedy: remedy, failure.status)
    }

    private static func split(_ text: String) -> (message: String, remedy: String?) {
        guard let end = text.range(of: "; ", options: .backwards) else { return (text, nil) }
        return (String(text[..<end.lowerBound]), String(text[end.upperBound...]))
    }
}
