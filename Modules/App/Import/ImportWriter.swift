import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendySync

/// Stores the events of an import, with the records that they need.
@MainActor
struct ImportWriter: ImportTarget {
    let context: CommandContext
    let types: ImportTypes
    /// Whether existing events get the values of the file.
    let updates: Bool

    func take(_ events: [IdentifiedEvent]) async throws -> ImportCount {
        let differing = try ExportComparison.differing(events, in: context)
        if updates { try await update(differing) }
        return ImportCount(new: try await takeNew(events), differing: differing.count)
    }

    /// Updates existing events in one transaction.
    private func update(_ events: [IdentifiedEvent]) async throws {
        if events.isEmpty { return }
        var found: [(id: String, named: IdentifiedEvent)] = []
        for var named in events {
            guard let present = try named.present(in: context.reader) else { continue }
            named.event.eventTypeId = types.id(standingFor: named.event.eventTypeId)
            found.append((present.id, named))
        }
        let changes = found
        let need = types.need(of: events.map(\.event))
        let replaced = try await context.store.perform { writes in
            let replaced = try need.store(in: writes)
            for (id, named) in changes {
                guard let present = try writes.find(Event.self, id: id),
                    var event = ExportComparison.event(present, with: named)
                else { continue }
                if let type = replaced[event.eventTypeId] { event.eventTypeId = type.id }
                try writes.update(event)
            }
            return replaced
        }
        types.settle(need, replaced)
    }

    private func takeNew(_ events: [IdentifiedEvent]) async throws -> Int {
        let repository = try context.root.repository
        var known = try repository.existingExternalIds(among: events.flatMap(\.names))
        let others = events.flatMap(\.otherIds)
        let ids: Set<String> = try others.isEmpty ? [] : repository.existingIds(among: others)
        var fresh: [IdentifiedEvent] = []
        for var event in events where known.isDisjoint(with: event.names) && ids.isDisjoint(with: event.otherIds) {
            known.formUnion(event.names)
            event.event.eventTypeId = types.id(standingFor: event.event.eventTypeId)
            fresh.append(event)
        }
        return try await put(fresh)
    }

    /// Stores new events, with the records that they need, in one transaction.
    ///
    /// - Returns: The number of new events.
    private func put(_ events: [IdentifiedEvent]) async throws -> Int {
        let need = types.need(of: events.map(\.event))
        if events.isEmpty && need.isEmpty { return 0 }
        let (count, replaced) = try await context.store.perform { writes in
            let replaced = try need.store(in: writes)
            let missing = try events.filter { try !Self.isHere($0, in: writes) }.map { named in
                var event = named.event
                if let type = replaced[event.eventTypeId] { event.eventTypeId = type.id }
                return event
            }
            // Another import may have stored an event meanwhile, or it is a record of this store.
            return (try writes.adoptMissing(missing), replaced)
        }
        types.settle(need, replaced)
        return count
    }

    /// Whether an event exists with another id, from an export of this store or from another import.
    private nonisolated static func isHere(_ named: IdentifiedEvent, in writes: LocalWrites) throws -> Bool {
        let ids = named.names.compactMap { UUIDv7($0)?.description } + named.otherIds
        return try ids.contains { try writes.find(Event.self, id: $0) != nil }
    }
}

/// The target of `--dry-run`: counts the events and writes nothing.
@MainActor
final class DryRunTarget: ImportTarget {
    private let context: CommandContext
    private let types: ImportTypes
    /// The ids of earlier rows of the file.
    private var seen = Repetitions()

    init(context: CommandContext, types: ImportTypes) {
        self.context = context
        self.types = types
    }

    func take(_ events: [IdentifiedEvent]) async throws -> ImportCount {
        let differing = try ExportComparison.differing(events, in: context).count
        let repository = try context.root.repository
        let names = events.flatMap(\.names)
        let known = try repository.existingExternalIds(among: names)
        let own = names.compactMap { UUIDv7($0)?.description }
        let ids = try repository.existingIds(among: events.map(\.event.id) + events.flatMap(\.otherIds) + own)
        let fresh = events.filter { event in
            if ids.contains(event.event.id) || !ids.isDisjoint(with: event.otherIds) { return false }
            for name in event.names {
                if known.contains(name) { return false }
                if let id = UUIDv7(name), ids.contains(id.description) { return false }
            }
            var hash = Hash128()
            hash.add((event.event.externalId ?? event.event.id).utf8)
            return seen.add(hash) == 0
        }
        let need = types.need(of: events.map(\.event))
        types.settle(need, [:])
        return ImportCount(new: fresh.count, differing: differing)
    }
}

/// The target of the check that all rows are valid.
@MainActor
struct ValidationTarget: ImportTarget {
    let types: ImportTypes

    func take(_ events: [IdentifiedEvent]) async throws -> ImportCount {
        types.settle(types.need(of: events.map(\.event)), [:])
        return ImportCount()
    }
}
