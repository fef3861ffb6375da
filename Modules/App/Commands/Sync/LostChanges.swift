import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// What a server had and has lost, because its data was restored or reset: by what a person decides about.
struct LostChanges: Hashable {
    /// Records that wait to be sent again.
    var records = 0
    /// Edits that wait to move records again.
    var moves = 0
    /// Deletions that wait to be made again.
    var deletions = 0
    /// Edited values, which are listed as conflicts.
    var values = 0

    /// How many wait in the queue.
    var parked: Int { records + moves + deletions }

    /// `2 records, 1 move, 1 deletion and 3 edited values`; nil if that is nothing.
    var figures: String? {
        let parts = [(records, "record"), (moves, "move"), (deletions, "deletion"), (values, "edited value")]
            .filter { $0.0 > 0 }.map { counted($0.0, $0.1) }
        guard let last = parts.last else { return nil }
        return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The command that shows most of it.
    var command: String { parked > 0 ? "trendy queue list" : "trendy conflicts list" }
}

extension LostChanges {
    init(_ report: SyncReport) {
        self.init(
            records: report.lost - report.lostMoves - report.lostDeletions, moves: report.lostMoves,
            deletions: report.lostDeletions, values: report.lostValues)
    }

    /// Reads them from the store.
    ///
    /// - Parameter isAnyParked: False if no change is parked, which spares looking for lost ones.
    /// - Throws: `StoreError`.
    static func read(_ reader: StoreReader, isAnyParked: Bool) throws -> LostChanges {
        let parked = isAnyParked ? try reader.mutations(MutationQuery(states: [.parked])) : []
        let lost = parked.filter { $0.parkCode == .lostByServer }
        let (moves, deletions) = (lost.count { $0.operation == .update }, lost.count { $0.operation == .delete })
        let listed = try reader.countDocuments(SyncConflict.self) > 0 ? try reader.documents(SyncConflict.self) : []
        return LostChanges(
            records: lost.count - moves - deletions, moves: moves, deletions: deletions,
            values: listed.count { $0.isLostByServer == true })
    }
}
