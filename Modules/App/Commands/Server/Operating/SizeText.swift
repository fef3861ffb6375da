import Foundation

/// Numbers of bytes as people read them.
enum SizeText {
    private static let units: [(size: Double, name: String)] = [
        (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"),
    ]

    /// `512 B`, `4.2 kB`, `35 MB`: two digits that count.
    static func text(_ bytes: Int64) -> String {
        let amount = Double(bytes)
        // 999.6 kB would round to a thousand of them.
        guard let unit = units.first(where: { amount >= $0.size * 0.9995 }) else { return "\(bytes) B" }
        let count = amount / unit.size
        return String(format: count < 9.95 ? "%.1f" : "%.0f", count) + " \(unit.name)"
    }
}
