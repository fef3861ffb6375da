import TrendyDomain
import TrendyNotation

/// The comparison of the clocks of this device and the server.
enum ClockHealth {
    static func finding(_ reading: ClockReading) -> HealthFinding {
        if let difference = difference(reading) { return .warning(difference, remedy: remedy) }
        let isSure = abs(reading.lead) > reading.doubt
        return .ok("this device's clock agrees with the server's\(isSure ? " (\(apart(reading)) apart)" : "")")
    }

    /// By how much the clocks differ: `this device's clock is 2m ahead of the server's`; nil if they agree.
    static func difference(_ reading: ClockReading) -> String? {
        guard reading.differs else { return nil }
        return "this device's clock is \(apart(reading)) \(reading.lead > 0 ? "ahead of" : "behind") the server's"
    }

    private static func apart(_ reading: ClockReading) -> String { DurationText.text(abs(reading.lead).rounded()) }

    #if os(macOS)
        private static let remedy = "sudo sntp -sS time.apple.com"
    #else
        private static let remedy = "sudo timedatectl set-ntp true"
    #endif
}
