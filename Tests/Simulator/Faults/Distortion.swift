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
            // It passes over none of the entries that it does not show.
            page.nextCursor = page.changes.first.map { $0.id - 1 } ?? page.nextCursor
            page.changes = []
            page.hasMore = true
        }
        return try? .json(200, WireCoding.encode(page))
    }

    /// An answer of the exchange; nil where there is nothing to distort, or its server could not say so.
    static func exchange(
        _ response: TransportResponse, _ exchange: Exchange, _ fault: Fault, _ dice: inout Dice
    ) -> TransportResponse? {
        guard response.status == 200, var answer = try? SyncResponse(parsing: response.body) else { return nil }
        switch fault {
        case .feedRepeats:
            answer.changes = answer.changes.flatMap { [$0, $0] }
        case .feedIsShuffled:
            answer.changes = Array(answer.changes.reversed())
        case .entryIsGarbled:
            guard let index = answer.changes.indices.filter({ !answer.changes[$0].deleted }).randomElement(&dice),
                var record = answer.changes[index].record?.objectValue
            else { return nil }
            record["id"] = .integer(0)
            answer.changes[index].record = .object(record)
        case .feedNeverEnds:
            let request = try? JSONValue(parsing: exchange.request.body ?? Data())
            // A cursor proves all revisions that its answer tells.
            guard answer.results.isEmpty, let cursor = request?.objectValue?["cursor"]?.stringValue else { return nil }
            (answer.changes, answer.cursor, answer.more) = ([], cursor, true)
        default: return nil
        }
        return try? .json(200, WireCoding.encode(answer))
    }

    /// An answer of the exchange, which says nothing of one of the mutations.
    ///
    /// A device does not use the cursor of such an answer. So the cursor of the request must prove the other results.
    static func exchangeWithoutResult(
        _ response: TransportResponse, _ exchange: Exchange, _ dice: inout Dice
    ) -> TransportResponse? {
        let request = try? JSONValue(parsing: exchange.request.body ?? Data())
        guard response.status == 200, var answer = try? SyncResponse(parsing: response.body),
            let cursor = request?.objectValue?["cursor"]?.stringValue, run(of: cursor) == run(of: answer.cursor),
            let index = answer.results.indices.map({ $0 }).randomElement(&dice)
        else { return nil }
        answer.results.remove(at: index)
        return try? .json(200, WireCoding.encode(answer))
    }

    /// The run of a server that a cursor names.
    private static func run(of cursor: String) -> Substring? { cursor.split(separator: "~").dropFirst().first }

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

extension Array {
    fileprivate func randomElement(_ dice: inout Dice) -> Element? { dice.pick(self) }
}
