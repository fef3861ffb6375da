import Foundation
import TrendyData
import TrendyDomain

/// Answers that are well formed and wrong.
enum Distortion {
    /// A page of the feed; nil where it is none.
    static func page(_ response: TransportResponse, _ fault: Fault, _ dice: inout Dice) -> TransportResponse? {
        guard var page = try? WireCoding.decode(ChangeFeedResponse.self, from: response.body) else { return nil }
        switch fault {
        case .feedRepeats:
            page.changes = page.changes.flatMap { [$0, $0] }
        case .feedIsShuffled:
            page.changes = Array(page.changes.reversed())
        case .feedGoesBack:
            page.nextCursor = dice.chance(0.5) ? -1 : max(0, page.nextCursor - Int64(dice.within(1...20)))
        default:
            page.changes = []
            page.hasMore = true
        }
        return try? .json(200, WireCoding.encode(page))
    }

    /// The answer to a batch, which says nothing of one of its records.
    static func batchWithoutItem(_ response: TransportResponse, _ dice: inout Dice) -> TransportResponse? {
        guard response.status == 201,
            var fields = try? WireCoding.decode([String: JSONValue].self, from: response.body),
            case .array(var created)? = fields["created"], !created.isEmpty
        else { return nil }
        created.remove(at: dice.below(created.count))
        fields["created"] = .array(created)
        guard let body = try? WireCoding.encode(fields) else { return nil }
        return .json(201, body)
    }
}
