/// What the body of an answer claims to be.
enum ContentType {
    case json
    case problem
    case html
    case missing
    case other(String)

    /// Reads the header field; parameters (a charset) do not matter.
    init(_ header: String?) {
        let media = (header ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        switch media {
        case "": self = .missing
        case "application/problem+json": self = .problem
        case "application/json", "text/json": self = .json
        case "text/html", "application/xhtml+xml": self = .html
        default: self = media.hasPrefix("application/") && media.hasSuffix("+json") ? .json : .other(media)
        }
    }

    var isJSON: Bool {
        switch self {
        case .json, .problem: true
        case .html, .missing, .other: false
        }
    }
}
