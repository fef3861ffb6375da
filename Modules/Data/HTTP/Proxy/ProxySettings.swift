public import Foundation

/// The proxies that environment variables name, by the rules of curl.
///
/// `http_proxy` is for http servers, `https_proxy` for https servers, and `all_proxy` for those without a variable of
/// their own; `no_proxy` lists the hosts that are reached without a proxy. Each has a form in upper case too, after the
/// one in lower case. This machine is no exception: a server here is reached through the proxy, unless `no_proxy`
/// names it.
public struct ProxySettings: Sendable, Hashable {
    /// How requests reach a server.
    public enum Route: Sendable, Hashable {
        /// Without a proxy: no variable names one.
        case direct
        /// Without a proxy, because this variable exempts the server.
        case exempt(variable: String)
        /// Through a proxy.
        case through(Proxy)
    }

    private var variables: [String: String] = [:]

    /// Takes what concerns proxies from an environment. Empty variables count as not set.
    public init(environment: [String: String]) {
        for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap({ [$0, $0.uppercased()] }) {
            // A web server passes a client's header "Proxy" on to a CGI program as HTTP_PROXY.
            if name == "HTTP_PROXY", environment["REQUEST_METHOD"] != nil { continue }
            guard let text = environment[name]?.trimmed, !text.isEmpty else { continue }
            variables[name] = text
        }
    }

    /// How requests reach the server of this URL.
    ///
    /// - Throws: ``ProxyError`` where the variable that counts for the URL names no proxy that can be used.
    public func route(to url: URL) throws(ProxyError) -> Route {
        guard let variable = first(of: url.scheme == "https" ? "https_proxy" : "http_proxy") ?? first(of: "all_proxy")
        else { return .direct }
        if let exemption = first(of: "no_proxy"), ExemptHosts(exemption.value).contains(url) {
            return .exempt(variable: exemption.name)
        }
        return .through(try Proxy(parse: variable.value, variable: variable.name))
    }

    private func first(of name: String) -> (name: String, value: String)? {
        [name, name.uppercased()].lazy.compactMap { name in variables[name].map { (name, $0) } }.first
    }
}

/// The hosts of `no_proxy`: `*` for all, names with everything below them, addresses and blocks of addresses, each with
/// a port perhaps.
struct ExemptHosts {
    private let entries: [String]

    init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
    }

    func contains(_ url: URL) -> Bool {
        guard let written = url.host else { return false }
        let host = Self.plain(written.lowercased())
        let port = url.port ?? (url.scheme == "https" ? 443 : 80)
        let address = InternetAddress(host)
        return entries.contains { entry in
            if entry == "*" { return true }
            if let block = InternetAddressBlock(entry) { return address.map(block.contains) ?? false }
            let (name, onlyPort) = Self.split(entry)
            if let onlyPort, onlyPort != port { return false }
            let plain = Self.plain(name)
            guard !plain.isEmpty else { return false }
            if let address { return address == InternetAddress(plain) }
            return host == plain || host.hasSuffix("." + plain)
        }
    }

    /// An entry without its port.
    private static func split(_ entry: String) -> (host: String, port: Int?) {
        guard let colon = entry.lastIndex(of: ":"), let port = Int(entry[entry.index(after: colon)...]),
            entry.hasPrefix("[") || entry.count(where: { $0 == ":" }) == 1
        else { return (entry, nil) }
        return (String(entry[..<colon]), port)
    }

    /// A host without brackets, a wildcard or a dot before it, and the dot of the root behind it.
    private static func plain(_ host: String) -> String {
        var rest = host.drop { "*.[".contains($0) }
        while rest.last == "." || rest.last == "]" { rest.removeLast() }
        return String(rest)
    }
}
