/// What comes on a stream that tells a device when there is something to sync.
public enum LiveSignal: Sendable, Hashable {
    /// The server has accepted the request. The head follows at once, unless something on the way holds it back.
    case opened
    /// Where the account stands. It may be told twice, late or wrongly.
    case head(ServerHead)
    /// The server lives, and has nothing to tell.
    case heartbeat
}
