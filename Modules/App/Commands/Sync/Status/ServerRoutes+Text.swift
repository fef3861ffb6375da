import TrendyDomain
import TrendyNotation
import TrendySync

extension ServerRoutes {
    /// The stable word for programs.
    var name: String { isExchange ? "exchange" : "older" }

    /// Whether a person has to know of them.
    var isUnusual: Bool { !isExchange || refusedSince != nil }

    /// The routes for people, with the time since when it is so.
    func text(_ zone: LocalZone) -> String {
        let since = refusedSince.map { " since \(zone.minuteText($0))" } ?? ""
        if isExchange { return refusedSince == nil ? "the exchange" : "the server refuses the exchange\(since)" }
        return "the older routes\(since), because the server has no exchange; it is asked again now and then"
    }
}
