import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

extension HealthCheck {
    /// Whether the store has a known version, and SQLite finds no damage.
    static let store = HealthCheck(name: "store") { scene in
        let stores = try scene.context.root.stores
        guard stores.exists else {
            scene.store = .absent
            return [.ok("no store yet; the first change creates \(stores.path)")]
        }
        try stores.open()
        let damage = try await stores.checkIntegrity()
        if let first = damage.first {
            let more = damage.count > 1 ? " and \(counted(damage.count - 1, "more fault"))" : ""
            return [
                .problem(
                    "\(stores.path) is damaged: \(first)\(more)",
                    remedy: KnownBackups(scene.context.root.configuration.folders)
                        .wayBack(in: scene.context.process.zone), .data)
            ]
        }
        scene.store = .sound
        return [.ok("\(stores.path) is intact (schema \(try stores.schemaVersion()))")]
    }

    /// Whether the stored counts are correct.
    static let counts = HealthCheck(name: "counts") { scene in
        guard scene.store == .sound else { return [] }
        let stores = try scene.context.root.stores
        let differences = try await stores.checkCounts()
        if differences.isEmpty { return [.ok("the stored counts are correct")] }
        if scene.isRepair {
            try await stores.recount()
            return [.ok("corrected \(counted(differences.count, "wrong count"))")]
        }
        return differences.map { difference in
            let (what, there) = (Self.name(difference.subject), "the right one is \(difference.counted)")
            let kept =
                difference.kept.map { "the stored count of \(what) is \($0)" } ?? "there is no stored count of \(what)"
            return .warning("\(kept), but \(there)", remedy: "trendy doctor --repair")
        }
    }

    private static func name(_ subject: StoreCountDifference.Subject) -> String {
        switch subject {
        case .records(let type): "\(type.displayName) records"
        case .changes(let state): "\(state.rawValue) changes"
        }
    }

    /// Whether the parent of every record exists.
    static let references = HealthCheck(name: "references") { scene in
        guard scene.store == .sound else { return [] }
        let dangling = try await scene.context.root.stores.checkReferences()
        if dangling.isEmpty { return [.ok("no record has a missing parent")] }
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
                // A repair must not decide about input of a person.
                let fact = Self.dangling(undecided, reference)
                let verb = undecided == 1 ? "waits" : "wait"
                findings.append(
                    .warning("\(fact), and \(verb) for your decision", remedy: "trendy queue show \(first.mutation)"))
            }
            return findings
        }
    }

    private static func dangling(_ count: Int, _ dangling: DanglingReference) -> String {
        let records = counted(count, dangling.entityType.displayName)
        return
            "\(records) \(count == 1 ? "belongs" : "belong") to a missing \(dangling.reference.entityType.displayName)"
    }

    /// The refused changes of records without a parent.
    @MainActor
    private static func refusedForParents(
        in context: CommandContext
    ) throws -> [(entityType: EntityType, entityId: String, field: String, mutation: Int64)] {
        let parents = MissingParents(context: context)
        return try context.reader.mutations(MutationQuery(states: [.parked])).compactMap { mutation in
            try parents.lostParent(of: mutation).map {
                (mutation.entityType, mutation.entityId, $0.reference.field, mutation.id)
            }
        }
    }

    /// Whether the disk has room for the store to grow.
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

/// The free space on the disk.
enum DiskHealth {
    /// The size in bytes that the store's log reaches before a checkpoint: 4,000 pages of 4 KiB.
    static let log: Int64 = 4_000 * 4_096

    /// - Parameters:
    ///   - free: The free space in bytes.
    ///   - store: The size of the store in bytes.
    static func finding(free: Int64, store: Int64, folder: String) -> HealthFinding {
        let room = "\(size(free)) are free on the disk of \(folder)"
        if free < log {
            return .problem(
                "only \(room); the log of the store needs more", remedy: "free space on that disk", .cannotCreate)
        }
        // A full resync writes every record again, and a reader can delay the checkpoint of the log.
        let needed = store + log
        if free < needed {
            return .warning(
                "only \(room); a full resync may need \(size(needed))", remedy: "free space on that disk")
        }
        return .ok(room)
    }

    private static func size(_ bytes: Int64) -> String {
        bytes < 10_000_000_000 ? "\(bytes / 1_000_000) MB" : "\(bytes / 1_000_000_000) GB"
    }
}
