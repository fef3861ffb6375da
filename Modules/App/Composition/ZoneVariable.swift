import TrendyNotation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The environment variable `TZ`. If it names no zone, the C library silently uses UTC.
enum ZoneVariable {
    /// The folders in which the C libraries look for zones.
    private static let folders = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo"]

    /// The remark on a value that names no zone; nil if it names one, or is not set.
    static func remark(_ environment: [String: String]) -> String? {
        guard let value = environment["TZ"] else { return nil }
        // In POSIX, a colon marks a name.
        let name = value.hasPrefix(":") ? value.dropFirst() : value[...]
        let own = environment["TZDIR"].map { $0.isEmpty ? [] : [$0] } ?? []
        if name.isEmpty || name == "UTC" || name == "GMT" || isRule(name) { return nil }
        let files = name.hasPrefix("/") ? [String(name)] : (own + folders).map { "\($0)/\(name)" }
        if files.contains(where: isFile) { return nil }
        return "the time zone '\(value)' in TZ is unknown, so times are in UTC; "
            + "use a name like Europe/Berlin, or unset TZ"
    }

    private static func isFile(_ path: String) -> Bool { access(path, R_OK) == 0 && !FileFailure.isFolder(path) }

    /// Whether it is a POSIX rule, with an offset after the name: `CET-1CEST`, `<+03>-3`.
    private static func isRule(_ text: Substring) -> Bool {
        var rest = text
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
        } else {
            let letters = rest.prefix { $0.isASCII && $0.isLetter }
            guard letters.count >= 3 else { return false }
            rest = rest.dropFirst(letters.count)
        }
        if rest.first == "+" || rest.first == "-" { rest = rest.dropFirst() }
        return rest.first?.isNumber == true
    }
}
