/// The elements that reports are made of; those from `svg` on are of SVG.
enum HTMLTag: String, Sendable {
    case head, meta, title, a
    case header, main, section, footer, figure, figcaption, div, span, p, bdi, code
    case h1, h2, h3, ul, li, dl, dt, dd
    case table, caption, thead, tbody, tr, th, td
    case details, summary
    case svg, desc, rect, circle, line, polyline, text

    /// Whether the element has no content and no end (HTML, "Void elements").
    var isVoid: Bool { self == .meta }
}

/// The attributes that reports have. None of them holds a script, and `href` is the only one with an address.
enum HTMLAttribute: String, Sendable {
    case id, `class`, charset, content, name, href, scope, role
    case httpEquiv = "http-equiv"
    case ariaHidden = "aria-hidden"
    case ariaLabelledBy = "aria-labelledby"
    case width, height, viewBox, preserveAspectRatio, x, y, x1, y1, x2, y2, cx, cy, r, rx, points
    case textAnchor = "text-anchor"
    case vectorEffect = "vector-effect"
}
