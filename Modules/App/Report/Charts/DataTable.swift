/// The figures of a chart for those who do not see it: a name in the first column of each row, figures in the others.
struct DataTable {
    var header: [String]
    var rows: [[String]]

    /// The table, closed until somebody asks for it.
    ///
    /// - Parameter subject: What the figures are of, for those who hear the page.
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
