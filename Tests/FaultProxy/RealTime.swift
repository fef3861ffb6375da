/// Real time, for what cannot be done with a clock that a test decides: other processes and their connections.
///
/// A pause here is part of a fault (a slow network, the moment of a kill) or lies between two looks at another
/// process. No test may take it for a sign that something has happened.
public enum RealTime {
    /// Lets that much time pass.
    public static func pause(_ time: Duration) async throws { try await Task.sleep(for: time) }

    /// Looks again and again until the condition holds or the time is up. Answers whether it holds.
    public static func wait(
        atMost limit: Duration = .seconds(60), until condition: () async throws -> Bool
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while try await !condition() {
            guard ContinuousClock.now < deadline else { return false }
            try await pause(.milliseconds(5))
        }
        return true
    }
}
