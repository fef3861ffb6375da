/// How long what a factory has made is kept.
public enum Lifetime: String, Sendable, Hashable {
    /// One for the container and everything that it serves.
    case singleton
    /// A new one for whoever asks.
    case transient
    /// One for each ``DependencyScope``.
    case scoped
}
