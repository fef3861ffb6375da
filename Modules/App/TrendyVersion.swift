/// Which version of Trendy this is.
enum TrendyVersion {
    /// The newest version in the changelog; between two of them the next one, marked as not released.
    static let current = "0.1.0-dev"
}
