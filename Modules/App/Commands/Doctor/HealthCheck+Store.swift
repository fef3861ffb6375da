import Foundation
import TrendyData

extension HealthCheck {
    /// Whether the store opens, and SQLite finds it whole.
    static let store = HealthCheck(name: "store") { context in
        let stores = try context.root.stores
        // To look must not make one.
        guard FileManager.default.fileExists(atPath: stores.path) else {
            return [.ok("there is none yet; the first thing that is logged makes \(stores.path)")]
        }
        try stores.open()
        let damage = try await stores.checkIntegrity()
        if let first = damage.first {
            let more = damage.count > 1 ? " and \(counted(damage.count - 1, "more fault"))" : ""
            return [
                .problem(
                    "\(stores.path) is damaged: \(first)\(more)",
                    remedy: "keep a copy, move it away and sync again, or restore a copy", .data)
            ]
        }
        return [.ok("\(stores.path) opens and is whole")]
    }
}
