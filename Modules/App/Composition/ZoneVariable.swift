import TrendyNotation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The environment variable `TZ`: where it names no zone, the C library takes UTC without a word.
enum ZoneVariable {
    /// Where the C libraries look for zones.
    private static let folders = ["/usr/share/zoneinfo", "/share/zoneinfo", "/etc/zoneinfo"]

    /// What to say of a value that names no zone; nil where it names one, or is not there.
    static func remark(_ environment: [String: String]) -> String? {
        guard let value = environment["TZ"] else { return nil }
        // By POSIX the colon says that what follows is a name, and no rule.
        let name = value.hasPrefix(":") ? value.dropFirst() : value[...]
        let own = environment["TZDIR"].map { $0.isEmpty ? [] : [$0] } ?? []
        if name.isEmpty || name == "UTC" || name == "GMT" || isRule(name) { return nil }
        let files = name.hasPrefix("/") ? [String(name)] : (own + folders).map { "\($0)/\(name)" }
        if files.contains(where: isFile) { return nil }
        return "TZ is '\(value)', which is no time zone that is known here: times are in UTC; "
            + "write it like Europe/Berlin, or leave TZ out"
    }

    private static func isFile(_ path: String) -> Bool { access(path, R_OK) == 0 && !FileFailure.isFolder(path) }

    /// Whether it is a rule as POSIX has them, in which an offset follows the name: `CET-1CEST`, `<+03>-3`.
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
