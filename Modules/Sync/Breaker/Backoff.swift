public import TrendyDomain

/// How long to wait before trying again, in seconds.
public enum Backoff {
    /// The pause after the breaker has tripped for the `trips`-th time in a row, from 1: 150, then 300.
    ///
    /// Limiters of deployed servers count an address, with all its devices, and each refusal begins their minute anew:
    /// only a minute in which all are silent ends it. Devices that ask every minute are refused for the first time
    /// within a minute, and for the second time within the 75 seconds after a pause of one minute. 150 seconds
    /// later that minute of silence has been, however many they are. 300 seconds are more than the minutes that
    /// lie between the questions of four others, whenever they ask.
    public static func rateLimit(trips: Int) -> Double { trips > 1 ? 300 : 150 }

    /// The pause after so many cycles in a row that could not reach the server, from 1.
    ///
    /// It doubles from 2 to at most 300 seconds; a random part of up to a half is taken off, so that many
    /// devices that lost one server do not come back at the same moment.
    public static func connection(failures: Int, random: any RandomSource) -> Double {
        let exponent = min(max(failures, 1), 9)
        let full = min(Double(1 << exponent), 300)
        return full * (1 - random.fraction() / 2)
    }
}

extension RandomSource {
    /// A number from 0 to 1, without 1.
    func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
