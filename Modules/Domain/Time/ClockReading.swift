/// What an answer has told of the server's clock, compared with this device's clock.
public struct ClockReading: Codable, Sendable, Hashable {
    /// How many seconds this device's clock is ahead of the server's; negative if it is behind.
    public var lead: Double
    /// How many seconds ``lead`` can be wrong.
    public var doubt: Double

    /// The difference that servers tolerate, in seconds. An id has the time of the device that made it, and servers of
    /// the older routes refuse one that is further ahead of their clock.
    public static let tolerance = 60.0

    /// Makes a reading of its parts, in seconds.
    public init(lead: Double, doubt: Double = 0) {
        (self.lead, self.doubt) = (lead, doubt)
    }

    /// Compares the time of an answer with the times of this device.
    ///
    /// - Parameters:
    ///   - shown: The time of the server's clock, to the second.
    ///   - askedAt: The time of the request, by this device's clock.
    ///   - answeredAt: The time of the answer, by this device's clock.
    public init(server shown: Timestamp, askedAt: Timestamp, answeredAt: Timestamp) {
        // The server's time was taken between request and answer, and is rounded to seconds.
        let travel = max(0, answeredAt.seconds(since: askedAt))
        lead = askedAt.advanced(bySeconds: travel / 2).seconds(since: shown.advanced(bySeconds: 0.5))
        doubt = travel / 2 + 0.5
    }

    /// Whether the clocks certainly differ by more than servers tolerate.
    public var differs: Bool { abs(lead) - doubt > Self.tolerance }
}
