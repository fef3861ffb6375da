import Foundation

/// A proxy that carries requests to servers.
public struct Proxy: Sendable, Hashable {
    /// How the proxy is spoken to.
    public enum Kind: String, Sendable, Hashable {
        /// HTTP: `CONNECT` for https servers, the whole address in the request for others (RFC 9110, section 9.3.6).
        case http
        /// SOCKS, version 5. The proxy looks up the names of hosts.
        case socks5
    }

    /// How the proxy is spoken to.
    public var kind: Kind
    /// The proxy's host.
    public var host: String
    /// The proxy's port.
    public var port: Int
    /// Who uses the proxy; nil where it asks nobody.
    public var user: String?
    /// The user's password.
    public var password: Secret?
    /// The variable that names the proxy, for messages.
    public var variable: String

    /// Describes a proxy.
    public init(
        kind: Kind = .http, host: String, port: Int, user: String? = nil, password: Secret? = nil, variable: String
    ) {
        self.kind = kind
        self.host = host
        self.port = port
        self.user = user
        self.password = password
        self.variable = variable
    }

    /// Reads what a variable says: `http://proxy.example.org:3128`, also with a user and a password, or a host alone.
    ///
    /// The port is 1080 where none is given, as with curl.
    ///
    /// - Throws: ``ProxyError`` for anything else.
    init(parse text: String, variable: String) throws(ProxyError) {
        func refusal(_ reason: String) -> ProxyError {
            ProxyError(variable: variable, value: Self.withoutPassword(text), reason: reason)
        }
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() } ?? "http"
        switch scheme {
        case "http": kind = .http
        case "socks5", "socks5h": kind = .socks5
        case "https": throw refusal("a proxy that speaks TLS itself is not supported; write http://")
        default: throw refusal("a proxy begins with http:// or socks5://")
        }
        let whole = text.contains("://") ? text : "http://\(text)"
        guard let parts = URLComponents(string: whole), let host = parts.host, !host.isEmpty,
            parts.port.map({ (1...65_535).contains($0) }) ?? true, ["", "/"].contains(parts.path), parts.query == nil,
            parts.fragment == nil
        else { throw refusal("a proxy looks like http://proxy.example.org:3128") }
        self.host = host.trimmingCharacters(in: ["[", "]"])
        port = parts.port ?? Self.standardPort
        user = parts.user
        password = parts.password.map(Secret.init)
        self.variable = variable
        guard kind == .http || user == nil else { throw refusal("a SOCKS proxy with a user is not supported") }
    }

    private static let standardPort = 1080

    /// The text without what stands before the host.
    private static func withoutPassword(_ text: String) -> String {
        guard let end = text.lastIndex(of: "@") else { return text }
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        guard start <= end else { return "***" }
        return text[..<start] + "***" + text[end...]
    }

    /// The value of `Proxy-Authorization`; nil where the proxy asks nobody.
    var authorization: String? {
        guard let user else { return nil }
        return "Basic " + Data("\(user):\(password?.value ?? "")".utf8).base64EncodedString()
    }
}

extension Proxy: CustomStringConvertible {
    /// The proxy with the variable that names it, without user and password.
    public var description: String {
        let place = host.contains(":") ? "[\(host)]" : host
        return "\(kind.rawValue)://\(place):\(port) (\(variable))"
    }
}

/// Why a variable names no proxy that can be used.
public struct ProxyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The variable.
    public var variable: String
    /// What the variable says, without a password.
    public var value: String
    /// What is wrong with the value, and what would be right.
    public var reason: String

    /// What is wrong, and what to do.
    public var description: String {
        "the proxy '\(value)' (from \(variable)) cannot be used: \(reason); change or unset \(variable), or name the "
            + "server in no_proxy"
    }
}
