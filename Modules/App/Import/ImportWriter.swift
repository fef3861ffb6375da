import TrendyData
import TrendyDomain
import TrendyInterchange
import TrendySync

/// Stores the events of an import, with the types, properties and places that they need.
@MainActor
struct ImportWriter: ImportTarget {
    let context: CommandContext
    let types: ImportTypes
    /// Whether events that are here already get the values of the file.
    let updates: Bool

    func take(_ events: [NamedEvent]) async throws -> ImportCount {
        let differing = try ExportedValues.differing(events, in: context)
        if updates { try await update(differing) }
        return ImportCount(new: try await takeNew(events), differing: differing.count)
    }

    /// Gives events that are here the values of the file, in one transaction.
    private func update(_ events: [NamedEvent]) async throws {
        if events.isEmpty { return }
        var found: [(id: String, named: NamedEvent)] = []
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
                    var event = ExportedValues.event(present, with: named)
                else { continue }
                if let type = replaced[event.eventTypeId] { event.eventTypeId = type.id }
                try writes.update(event)
            }
            return replaced
        }
        types.settle(need, replaced)
    }

    private func takeNew(_ events: [NamedEvent]) async throws -> Int {
        let repository = try context.root.repository
        var known = try repository.existingExternalIds(among: events.flatMap(\.names))
        let others = events.flatMap(\.otherIds)
        let ids: Set<String> = try others.isEmpty ? [] : repository.existingIds(among: others)
        var fresh: [NamedEvent] = []
        for var event in events where known.isDisjoint(with: event.names) && ids.isDisjoint(with: event.otherIds) {
            known.formUnion(event.names)
            event.event.eventTypeId = types.id(standingFor: event.event.eventTypeId)
            fresh.append(event)
        }
        return try await put(fresh)
    }

    /// Stores events that are not there yet, with what they need, in one transaction.
    ///
    /// - Returns: How many were not there.
    private func put(_ events: [NamedEvent]) async throws -> Int {
        let need = types.need(of: events.map(\.event))
        if events.isEmpty && need.isEmpty { return 0 }
        let (count, replaced) = try await context.store.perform { writes in
            let replaced = try need.store(in: writes)
            let missing = try events.filter { try !Self.isHere($0, in: writes) }.map { named in
                var event = named.event
                if let type = replaced[event.eventTypeId] { event.eventTypeId = type.id }
                return event
            }
            // What is passed over was put in by another import since this one looked, or is a record of this store.
            return (try writes.adoptMissing(missing), replaced)
        }
        types.settle(need, replaced)
        return count
    }

    /// Whether an event is here under another id: the file is an export of this store, or another import put it in
    /// since this one looked.
    private nonisolated static func isHere(_ named: NamedEvent, in writes: LocalWrites) throws -> Bool {
        let ids = named.names.compactMap { UUIDv7($0)?.description } + named.otherIds
        return try ids.contains { try writes.find(Event.self, id: $0) != nil }
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

    func take(_ events: [NamedEvent]) async throws -> ImportCount {
        let differing = try ExportedValues.differing(events, in: context).count
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

/// Only looks whether every row can go in, before any does.
@MainActor
struct ImportCheck: ImportTarget {
    let types: ImportTypes

    func take(_ events: [NamedEvent]) async throws -> ImportCount {
        types.settle(types.need(of: events.map(\.event)), [:])
        return ImportCount()
    }
}
