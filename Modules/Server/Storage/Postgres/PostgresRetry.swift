#if Postgres
    import Foundation

    /// Says whether a transaction that has failed is run again, and after what wait.
    struct PostgresRetry {
        private static let mostConflicts = 10
        private static let mostLosses = 3

        private var conflicts = 0
        private var losses = 0

        /// Seconds to wait before the next attempt; nil where there is to be none.
        ///
        /// The waits double, and chance takes a part of each, so that those who got in each other's way do not meet again.
        mutating func pause(after error: PostgresError, isConflict: Bool) -> Double? {
            if error.isCommitUnknown { return nil }
            if isConflict {
                conflicts += 1
                guard conflicts <= Self.mostConflicts else { return nil }
                return .random(in: 0...min(0.005 * pow(2, Double(conflicts)), 0.5))
            }
            guard error.isLost else { return nil }
            losses += 1
            guard losses <= Self.mostLosses else { return nil }
            return .random(in: 0...0.05 * pow(2, Double(losses)))
        }
    }
#endif
