/// A chart with its heading, a summary and a table of its figures.
struct ChartFigure {
    /// Names the figure within the page.
    var id: String
    /// What it shows: `By weekday`.
    var heading: String
    /// What is drawn, and from when to when.
    var subject: String
    /// What the chart shows, in a sentence.
    var summary: String
    var drawings: [HTMLNode]
    /// What the marks mean.
    var legend: HTMLNode?
    var table: DataTable

    var element: HTMLNode {
        let caption: [HTMLNode] = [
            .element(.h3, [:], heading), .element(.p, [.class: "note"], summary),
        ]
        let legends = legend.map { [$0] } ?? []
        return .element(
            .figure, [.id: id],
            [.element(.figcaption, [:], caption)] + drawings + legends + [table.disclosure(of: subject)])
    }

    /// A drawing with a name and a description for screen readers.
    static func drawing(
        id: String, title: String, description: String, class name: String, height: Double, viewBox: String? = nil,
        width: String = "100%", _ content: [HTMLNode]
    ) -> HTMLNode {
        let words: [HTMLNode] = [
            .element(.title, [.id: "\(id)-title"], title), .element(.desc, [.id: "\(id)-desc"], description),
        ]
        return .element(
            .svg,
            [
                .class: name, .role: "img", .ariaLabelledBy: "\(id)-title \(id)-desc", .width: width,
                .height: SVG.number(height), .viewBox: viewBox,
            ], words + content)
    }
}

/// The figures of a chart: a name in the first column of each row, figures in the others.
struct DataTable {
    var header: [String]
    var rows: [[String]]

    /// The table, closed until a reader opens it.
    ///
    /// - Parameter subject: What the figures are of, for screen readers.
    func disclosure(of subject: String) -> HTMLNode {
        .element(
            .details, [:],
            [
                .element(.summary, [:], [.text("Figures"), .element(.span, [.class: "hidden"], " of \(subject)")]),
                element(of: subject),
            ])
    }

    private func element(of subject: String) -> HTMLNode {
        let head = header.map { HTMLNode.element(.th, [.scope: "col"], $0) }
        let body = rows.map { row in
            HTMLNode.element(
                .tr, [:],
                row.enumerated().map { place, cell in
                    place == 0 ? .element(.th, [.scope: "row"], cell) : .element(.td, [:], cell)
                })
        }
        return .element(
            .table, [.class: "data"],
            [
                .element(.caption, [.class: "hidden"], subject),
                .element(.thead, [:], [.element(.tr, [:], head)]), .element(.tbody, [:], body),
            ])
    }
}
