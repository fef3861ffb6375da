import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

extension HealthCheck {
    /// Whether the store opens in a version that is known here, and SQLite finds it whole.
    static let store = HealthCheck(name: "store") { scene in
        let stores = try scene.context.root.stores
        guard FileManager.default.fileExists(atPath: stores.path) else {
            scene.store = .absent
            return [.ok("there is none yet; the first thing that is logged makes \(stores.path)")]
        }
        try stores.open()
        let damage = try await stores.checkIntegrity()
        if let first = damage.first {
            let more = damage.count > 1 ? " and \(counted(damage.count - 1, "more fault"))" : ""
            return [
                .problem(
                    "\(stores.path) is damaged: \(first)\(more)",
                    remedy: "'trendy restore FILE' brings back what 'trendy backup' wrote last; "
                        + "without that, keep a copy of the file, move it away and sync again", .data)
            ]
        }
        scene.store = .sound
        return [.ok("\(stores.path) opens and is whole (schema \(try stores.schemaVersion()))")]
    }

    /// Whether the numbers that are kept are those of what is there.
    static let counts = HealthCheck(name: "counts") { scene in
        guard scene.store == .sound else { return [] }
        let stores = try scene.context.root.stores
        let differences = try await stores.checkCounts()
        if differences.isEmpty { return [.ok("the numbers of records and changes are right")] }
        if scene.isRepair {
            try await stores.recount()
            return [.ok("\(counted(differences.count, "wrong number")) counted anew")]
        }
        return differences.map { difference in
            let (what, there) = (Self.name(difference.subject), "there are \(difference.counted)")
            let kept =
                difference.kept.map { "the number of \(what) is kept as \($0)" } ?? "no number of \(what) is kept"
            return .warning("\(kept), but \(there)", remedy: "trendy doctor --repair")
        }
    }

    private static func name(_ subject: StoreCountDifference.Subject) -> String {
        switch subject {
        case .records(let type): "records of the kind \(type.displayName)"
        case .changes(let state): "changes that are \(state.rawValue)"
        }
    }

    /// Whether every record has what it belongs to.
    static let references = HealthCheck(name: "references") { scene in
        guard scene.store == .sound else { return [] }
        let dangling = try await scene.context.root.stores.checkReferences()
        if dangling.isEmpty { return [.ok("every record has what it belongs to")] }
        let refused = try refusedForParents(in: scene.context)
        return dangling.flatMap { reference in
            let waiting = refused.filter {
                $0.entityType == reference.entityType && $0.field == reference.reference.field
            }
            let undecided = min(reference.count, Set(waiting.map(\.entityId)).count)
            var findings: [HealthFinding] = []
            if undecided < reference.count {
                let fact = Self.dangling(reference.count - undecided, reference)
                findings.append(.warning(fact, remedy: "trendy doctor --verify --repair"))
            }
            if let first = waiting.first {
                // No repair decides what becomes of what a person has entered.
                let fact = Self.dangling(undecided, reference)
                let verb = undecided == 1 ? "waits" : "wait"
                findings.append(
                    .warning("\(fact), and \(verb) for a decision", remedy: "trendy queue show \(first.mutation)"))
            }
            return findings
        }
    }

    private static func dangling(_ count: Int, _ dangling: DanglingReference) -> String {
        let records = counted(count, dangling.entityType.displayName)
        return
            "\(records) \(count == 1 ? "belongs" : "belong") to a missing \(dangling.reference.entityType.displayName)"
    }

    /// Refused changes of records that belong to what is not here.
    @MainActor
    private static func refusedForParents(
        in context: CommandContext
    ) throws -> [(entityType: EntityType, entityId: String, field: String, mutation: Int64)] {
        let parents = MissingParents(context: context)
        return try context.reader.mutations(MutationQuery(states: [.parked])).compactMap { mutation in
            try parents.reference(of: mutation).map {
                (mutation.entityType, mutation.entityId, $0.field, mutation.id)
            }
        }
    }

    /// Whether there is room for the store to grow.
    static let disk = HealthCheck(name: "disk") { scene in
        let folders = scene.context.root.configuration.folders
        var folder = URL(filePath: folders.data)
        while !FileManager.default.fileExists(atPath: folder.path), folder.pathComponents.count > 1 {
            folder.deleteLastPathComponent()
        }
        guard let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder.path),
            let free = (facts[.systemFreeSize] as? NSNumber)?.int64Value
        else { return [] }
        let size = (try? FileManager.default.attributesOfItem(atPath: folders.store))?[.size] as? NSNumber
        return [DiskHealth.finding(free: free, store: size?.int64Value ?? 0, folder: folders.data)]
    }
}

/// What there is to say about the room on the disk.
enum DiskHealth {
    /// The size in bytes to which the store's log grows before it is copied back: 4,000 pages of 4 KiB.
    static let log: Int64 = 4_000 * 4_096

    /// - Parameters:
    ///   - free: How many bytes are free.
    ///   - store: How large the store is.
    static func finding(free: Int64, store: Int64, folder: String) -> HealthFinding {
        let room = "\(size(free)) are free where \(folder) is"
        if free < log {
            return .problem(
                "only \(room), too little for the store's log", remedy: "make room on that disk", .cannotCreate)
        }
        // A full resync writes every record once more, and a reader can keep the log from being copied back.
        let needed = store + log
        if free < needed {
            return .warning(
                "only \(room), and a full resync may need \(size(needed))", remedy: "make room on that disk")
        }
        return .ok(room)
    }

    private static func size(_ bytes: Int64) -> String {
        bytes < 10_000_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1_000_000_000) GB"
    }
}
