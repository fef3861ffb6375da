import Foundation

extension ServerOperator {
    /// The longest pause after a piece of work, in seconds.
    private static let longestPause = 0.1
    /// The shortest one. A writer of SQLite that waits looks again after some milliseconds.
    private static let shortestPause = 0.005

    /// Does a piece of work on a store with one writer, and then pauses for as long as the piece took, so that the requests
    /// of a server that is running have their turn.
    func piece<Value>(_ work: () throws -> Value) rethrows -> Value {
        guard store.hasOneWriter else { return try work() }
        let start = ContinuousClock.now
        let value = try work()
        let taken = (ContinuousClock.now - start) / .seconds(1)
        Thread.sleep(forTimeInterval: min(Self.longestPause, max(Self.shortestPause, taken)))
        return value
    }

    /// Carries out a write, in pieces where it is large.
    func carryOut<Value>(_ write: PreparedWrite<Value>) throws -> Value {
        if let step = write.piece { while try piece({ try store.write(write.userId, step) }) {} }
        return try write.commit()
    }
}
