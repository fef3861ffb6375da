import TrendyDomain
import TrendyNotation

/// The lines and labels around the marks of a chart with a height.
///
/// Horizontal places are shares of the width, vertical ones are pixels: a chart fills its column of the page, and its
/// texts are of the same size on every screen.
struct ChartAxis {
    let scale: AxisScale
    /// The height of the field of the marks.
    let height: Double

    /// Room above the field for the topmost label.
    static let top = 8.0
    /// Room below the field for the labels of time.
    static let bottom = 26.0

    /// The height of the whole drawing.
    var totalHeight: Double { Self.top + height + Self.bottom }

    /// Where a value lies, from the top.
    func y(_ value: Double) -> Double { Self.top + height * (1 - scale.share(value)) }

    /// The class of a drawing that leaves room for its figures at the left.
    var roomClass: String { "chart room-\(room)" }

    /// How much room the figures take, from 1 to 4.
    private var room: Int {
        let longest = scale.ticks.map { FigureText.text($0).count }.max() ?? 0
        return ([3, 5, 8].firstIndex { longest <= $0 } ?? 3) + 1
    }

    /// A line at each round figure, and the figure.
    var grid: [HTMLNode] {
        scale.ticks.flatMap { tick -> [HTMLNode] in
            let y = SVG.number(y(tick))
            return [
                .element(
                    .line, [.class: tick == scale.lowest ? "base" : "grid", .x1: "0", .x2: "100%", .y1: y, .y2: y]),
                .element(
                    .text, [.class: "tick", .x: "-8", .y: SVG.number(self.y(tick) + 4), .textAnchor: "end"],
                    FigureText.text(tick)),
            ]
        }
    }

    /// The labels of time, each beginning where its stretch begins; half of them where there is little room.
    ///
    /// - Parameters:
    ///   - starts: Where the stretches begin, as shares of the width.
    ///   - period: How long the stretches are: months are written with their years, and take more room.
    func labels(_ labels: [String], at starts: [Double], of period: CalendarPeriod?) -> [HTMLNode] {
        let most = period == .month ? 6 : 8
        let step = max(1, (labels.count + most - 1) / most)
        let places = stride(from: 0, to: labels.count, by: step).filter { starts[$0] <= lastStart }
        return places.enumerated().map { number, place in
            label(labels[place], at: starts[place], anchor: "start", class: number % 2 == 0 ? "time" : "time wide")
        }
    }

    /// A label at a share of the width.
    func label(_ text: String, at share: Double, anchor: String, class name: String = "time") -> HTMLNode {
        .element(
            .text,
            [
                .class: name, .x: SVG.percent(share), .y: SVG.number(totalHeight - 7), .textAnchor: anchor,
            ], text)
    }

    /// A label that begins later would not end before the edge of a narrow chart.
    private var lastStart: Double { room < 4 ? 0.83 : 0.68 }
}
