/// A setting of `trendy serve`: an option, a variable of the environment and a member of its configuration file, of one
/// name.
enum ServeSetting: String, CaseIterable {
    case port, host, data, database, metrics, closed
    case rateLimit = "rate-limit"
    case signInLimit = "sign-in-limit"
    case connectionLimit = "connection-limit"
    case trustedProxy = "trusted-proxy"
    case noRateLimit = "no-rate-limit"
    case quotaRecords = "quota-records"
    case quotaBytes = "quota-bytes"
    case logLevel = "log-level"
    case logFormat = "log-format"

    /// The variable of the environment: `TRENDY_SERVE_RATE_LIMIT`.
    var variable: String { "TRENDY_SERVE_" + rawValue.uppercased().replacing("-", with: "_") }
}
