import TrendyData
import TrendyDomain
import TrendySync

/// Stores the events of an import, with the types, properties and places that they need.
@MainActor
struct ImportWriter: ImportTarget {
    let context: CommandContext
    let types: ImportTypes

    func take(_ events: [Event]) async throws -> Int {
        var known = try context.root.repository.existingExternalIds(among: events.compactMap(\.externalId))
        var fresh: [Event] = []
        for event in events {
            if let id = event.externalId, !known.insert(id).inserted { continue }
            fresh.append(event)
        }
        return try await put(fresh)
    }

    /// Stores events that are not there yet, with what they need, in one transaction.
    ///
    /// - Returns: How many were not there.
    private func put(_ events: [Event]) async throws -> Int {
        let need = types.need(of: events)
        if events.isEmpty && need.isEmpty { return 0 }
        let (count, replaced) = try await context.store.perform { writes in
            let replaced = try need.store(in: writes)
            var count = 0
            for event in events where try !Self.isOwnId(event.externalId, in: writes) {
                var event = event
                if let type = replaced[event.eventTypeId] { event.eventTypeId = type.id }
                do {
                    try writes.adopt(event)
                    count += 1
                } catch SyncEngineError.alreadyExists {
                    // Another import put the same row in since this one looked, or it is a record of this store.
                }
            }
            return (count, replaced)
        }
        types.settle(need, replaced)
        return count
    }

    /// True where the id of a row is that of an event here: the file is an export of this store.
    private nonisolated static func isOwnId(_ externalId: String?, in writes: LocalWrites) throws -> Bool {
        guard let externalId, let id = UUIDv7(externalId) else { return false }
        return try writes.find(Event.self, id: id.description) != nil
    }
}

/// Tells what an import would do, and writes nothing.
@MainActor
final class ImportRehearsal: ImportTarget {
    private let context: CommandContext
    private let types: ImportTypes
    /// What earlier rows of the file are called.
    private var seen = Repetitions()

    init(context: CommandContext, types: ImportTypes) {
        self.context = context
        self.types = types
    }

    func take(_ events: [Event]) async throws -> Int {
        let repository = try context.root.repository
        let externalIds = events.compactMap(\.externalId)
        let known = try repository.existingExternalIds(among: externalIds)
        let own = externalIds.compactMap { UUIDv7($0)?.description }
        let ids = try repository.existingIds(among: events.map(\.id) + own)
        let fresh = events.filter { event in
            if ids.contains(event.id) { return false }
            if let name = event.externalId {
                if known.contains(name) { return false }
                if let id = UUIDv7(name), ids.contains(id.description) { return false }
            }
            var hash = Hash128()
            hash.add((event.externalId ?? event.id).utf8)
            return seen.add(hash) == 0
        }
        let need = types.need(of: events)
        types.settle(need, [:])
        return fresh.count
    }
}
