import TrendyDomain
import TrendyNotation
import TrendyTerminal

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

    /// That the clocks differ, and what waits for that; nil if nothing is to be said.
    ///
    /// - Parameters:
    ///   - difference: By how much they differ; nil if they agree, or it is not known. A proxy before the server may show
    ///     another time than the server has.
    ///   - early: How many changes the server's clock holds back.
    ///   - canGoAtOnce: Whether all of these can be sent at once, with new ids: the clocks agree by now.
    static func sentence(
        _ difference: String?, holdingBack early: Int, canGoAtOnce: Bool = false
    ) -> String? {
        guard early > 0 else { return difference }
        let detail = difference.map { " (\($0))" } ?? ""
        let wait = early == 1 ? "waits, and is sent by itself" : "wait, and are sent by themselves"
        let newIds = early == 1 ? "it at once, with a new id" : "them at once, with new ids"
        let atOnce = "; 'trendy queue retry --all' sends \(newIds)"
        return "the server refuses new records as ahead of its clock\(detail): \(counted(early, "change")) \(wait) "
            + "as soon as its clock allows\(canGoAtOnce ? atOnce : "; see 'trendy queue'")"
    }

    private static func apart(_ reading: ClockReading) -> String { DurationText.span(abs(reading.lead).rounded()) }

    #if os(macOS)
        private static let remedy = "sudo sntp -sS time.apple.com"
    #else
        private static let remedy = "sudo timedatectl set-ntp true"
    #endif
}
