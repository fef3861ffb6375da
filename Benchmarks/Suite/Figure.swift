import Foundation

/// One measured figure beside its target.
struct Figure {
    enum Target {
        case atMost(Double)
        case atLeast(Double)
    }

    let name: String
    let value: Double
    let unit: String
    let target: Target
    /// What the figure was made from.
    var detail = ""

    var isMet: Bool {
        switch target {
        case .atMost(let limit): value <= limit
        case .atLeast(let limit): value >= limit
        }
    }

    private var targetText: String {
        switch target {
        case .atMost(let limit): "at most \(Self.format(limit))"
        case .atLeast(let limit): "at least \(Self.format(limit))"
        }
    }

    private static func format(_ value: Double) -> String {
        value >= 100 ? String(Int(value.rounded())) : String(format: "%.2f", value)
    }

    var line: String {
        let columns = [
            (isMet ? "pass" : "FAIL").padded(to: 6), name.padded(to: 58),
            "\(Self.format(value)) \(unit)".padded(to: 18), targetText.padded(to: 16), detail,
        ]
        return columns.joined(separator: "  ")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}

extension [Double] {
    /// The middle value: a pause of the machine does not move it.
    var median: Double {
        let ordered = sorted()
        guard !ordered.isEmpty else { return .nan }
        let middle = ordered.count / 2
        return ordered.count % 2 == 1 ? ordered[middle] : (ordered[middle - 1] + ordered[middle]) / 2
    }
}

func milliseconds(_ seconds: Double) -> String {
    String(format: "%.2f ms", seconds * 1000)
}
