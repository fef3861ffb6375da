/// Which version of Trendy this is.
public enum TrendyVersion {
    /// The newest version in the changelog; between two of them the next one, marked as not released.
    ///
    /// `trendy --version` shows it, and a server tells it at `/health`.
    public static let current = "0.1.0-dev"
}
