public import Foundation

/// Where a server is: its URL without the API's base path, which is in the ``RouteTable``.
public struct ServerAddress: Sendable, Hashable {
    /// The URL in its plain form: scheme and host in lower case, no slash at the end.
    public let url: URL

    /// Reads what a person gives: `https://trendy.example.org`, also with a slash or the base path at the end.
    ///
    /// The paths of requests are the address, the table's base path and the route: with the default base path
    /// `/api/v1`, both `https://h` and `https://h/api/v1` lead to `https://h/api/v1/events`.
    ///
    /// - Parameter basePath: What is left out at the end, since the routes have it; give the table's where it has
    ///   another. With an empty one the path stays whole: for a table without a base path, and a backend at
    ///   `https://h/api/v1`, say. Its health check is below the address too, at `https://h/api/v1/health`.
    /// - Throws: ``ServerAddressError`` for anything that is no http or https URL, or that holds a
    ///   password, a query or a fragment.
    public init(
        parse text: String, basePath: String = RouteTable.defaultBasePath
    ) throws(ServerAddressError) {
        var rest = text.drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        let trimmed = String(rest)
        if let scalar = trimmed.unicodeScalars.first(where: Self.isInvisible) { throw .invisible(scalar) }
        guard let colon = trimmed.firstIndex(of: ":"), trimmed[colon...].hasPrefix("://") else {
            throw .noScheme(trimmed)
        }
        let scheme = trimmed[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { throw .unknownScheme(scheme) }
        guard var parts = URLComponents(string: trimmed), let host = parts.host, !host.isEmpty else {
            throw .malformed(trimmed)
        }
        guard parts.user == nil, parts.password == nil else { throw .holdsPassword }
        guard parts.query == nil, parts.fragment == nil else { throw .holdsQuery(trimmed) }
        if let port = parts.port, !(1...65_535).contains(port) { throw .malformed(trimmed) }
        parts.scheme = scheme
        parts.host = host.lowercased()
        parts.percentEncodedPath = Self.plainPath(parts.percentEncodedPath, without: basePath)
        guard let url = parts.url else { throw .malformed(trimmed) }
        self.url = url
    }

    /// Whether nobody sees the character: a copied address may have one, and the host with it is another.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .format].contains(scalar.properties.generalCategory)
    }

    /// The path without slashes at its end and without the API's base path.
    private static func plainPath(_ path: String, without basePath: String) -> String {
        var path = Substring(path)
        func dropSlashes() { while path.hasSuffix("/") { path = path.dropLast() } }
        dropSlashes()
        if path.hasSuffix(basePath) { path = path.dropLast(basePath.count) }
        dropSlashes()
        return String(path)
    }
}

extension ServerAddress: CustomStringConvertible {
    /// The address as text.
    public var description: String { url.absoluteString }
}

extension ServerAddress: Codable {
    /// Reads it from its JSON.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            // A written address is plain already, and all of its path belongs to it.
            try self.init(parse: text, basePath: "")
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes it as JSON.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Why a text is no address of a server.
public enum ServerAddressError: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no `http://` or `https://` before it.
    case noScheme(String)
    /// The scheme is neither http nor https.
    case unknownScheme(String)
    /// It is no URL with a host.
    case malformed(String)
    /// The text holds a character that nobody sees.
    case invisible(Unicode.Scalar)
    /// It holds a user name or a password.
    case holdsPassword
    /// It holds a query or a fragment.
    case holdsQuery(String)

    /// What is wrong with the address, with an example of a right one.
    public var description: String {
        switch self {
        case .noScheme(""): "the server URL is empty; it looks like https://trendy.example.org"
        case .noScheme(let text): "'\(text)' is no server URL; write https://\(text), or http:// on this machine"
        case .unknownScheme(let scheme): "a server URL begins with https:// or http://, not with \(scheme)://"
        case .invisible(let scalar):
            "the address holds an invisible character, U+\(String(scalar.value, radix: 16, uppercase: true)); "
                + "type it instead of copying it"
        case .malformed(let text): "'\(text)' is no URL; it looks like https://trendy.example.org"
        case .holdsPassword: "a server URL must not hold a user name or password; give it when you sign in"
        case .holdsQuery(let text): "'\(text)' holds a query or fragment; give only the server's address"
        }
    }
}
