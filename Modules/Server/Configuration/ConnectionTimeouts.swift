/// Hummingbird has a `ServerConfiguration` too: by this name, ours is meant everywhere.
typealias ConnectionTimeouts = ServerConfiguration.Timeouts
