import Foundation
import TrendyDomain

/// What people did, with the mutations that carry it, and what these were turned into.
extension World {
    /// Notes that a deleted record may come back, everywhere: somebody means it to.
    func expectBack(_ id: String) {
        remade.insert(id)
        for index in deletedHere.indices { deletedHere[index][id] = nil }
    }

    /// Notes what a person did, and whatever else the outbox shows.
    ///
    /// - Parameter carrier: The mutation that the person has changed, where one was named.
    func note(
        _ announced: [(EntityType, String, Act.Change)] = [], in carrier: Int64? = nil, on device: SimulatedDevice
    ) throws {
        let view = try view(of: device)
        let before = outboxes[device.index]
        outboxes[device.index] = Dictionary(view.open.map { ($0.id, $0) }) { $1 }
        var carriers: Set<Int64> = []
        var done: [Act] = []
        for (type, id, change) in announced {
            let ofRecord = view.openByRecord[id] ?? []
            let own =
                ofRecord.first { $0.id == carrier }
                ?? ofRecord.last { before[$0.id]?.payload != $0.payload || before[$0.id] == nil }
                // What says the same as before says it for more than before.
                ?? ofRecord.last { before[$0.id]?.clientRequestId != $0.clientRequestId }
            if let own { carriers.insert(own.id) }
            var said = change
            if case .create = change {
                // What is there still is only changed.
                guard let own else { continue }
                if own.operation == .update { said = .update(try view.fields(of: own.payload)) }
            }
            done.append(act(said, of: type, id, own?.id ?? 0, on: device, view))
        }
        for mutation in view.open { try noteWithdrawals(from: mutation, since: before[mutation.id], on: device, view) }
        for mutation in view.open where !carriers.contains(mutation.id) {
            guard let change = try change(mutation, since: before[mutation.id], view) else { continue }
            done.append(act(change, of: mutation.entityType, mutation.entityId, mutation.id, on: device, view))
        }
        // What is deleted and made anew at once comes back with its parent, whose deletion is under way.
        let last = Dictionary(done.map { ($0.entityId, $0) }) { $1 }
        for act in done where act.isDelete && last[act.entityId]?.isCreate == true { expectBack(act.entityId) }
        for act in done {
            add(act)
            trace.note("  \(act)")
        }
        for act in done where last[act.entityId]?.mutationId == act.mutationId {
            if act.isDelete { deletedHere[device.index][act.entityId] = act.entityType }
            check { try $0.wrote(act, in: self) }
        }
    }

    /// Notes which parents an edit does not name any more. Where a person gives up a record that was never sent, its
    /// children stay where they were.
    private func noteWithdrawals(
        from mutation: PendingMutation, since before: PendingMutation?, on device: SimulatedDevice, _ view: DeviceView
    ) throws {
        guard mutation.operation == .update, let before, before.payload != mutation.payload else { return }
        let (former, fields) = (try view.fields(of: before.payload), try view.fields(of: mutation.payload))
        let references = Set(device.schema.types.flatMap { $0.parents.map(\.field) })
        withdrawals += former.paths.filter { references.contains($0.field) && !fields.names($0) }.map {
            Withdrawal(device: device.index, entityId: mutation.entityId, path: $0, actsBefore: acts.count)
        }
    }

    private func act(
        _ change: Act.Change, of type: EntityType, _ id: String, _ mutation: Int64, on device: SimulatedDevice,
        _ view: DeviceView
    ) -> Act {
        // A snapshot of the older routes begins with the feed's newest place, before it shows any record.
        Act(
            device: device.index, entityType: type, entityId: id, change: change, mutationId: mutation,
            serverHadDone: server.effects.count, cursor: view.isResyncing ? 0 : view.cursor)
    }

    /// What a mutation says that it did not say before; nil where there is nothing.
    private func change(
        _ mutation: PendingMutation, since before: PendingMutation?, _ view: DeviceView
    ) throws -> Act.Change? {
        let fields = try view.fields(of: mutation.payload)
        guard let before else {
            switch mutation.operation {
            case .create: return .create(fields)
            case .update: return .update(fields)
            case .delete: return .delete
            }
        }
        guard mutation.payload != before.payload, mutation.operation == before.operation else { return nil }
        let former = try view.fields(of: before.payload)
        let paths = Set(mutation.operation == .create ? fields.differences(from: former) : fields.paths)
        var change: Fields = [:]
        for path in paths where mutation.operation == .create || fields[path] != former[path] || !former.names(path) {
            change[path] = fields[path]
        }
        return change.isEmpty ? nil : .update(change)
    }

    // MARK: What an engine does to the outbox

    /// Follows what an engine has settled, and what has come to stand for a record.
    func follow(_ device: SimulatedDevice, _ view: DeviceView) throws {
        let before = outboxes[device.index]
        let now = Dictionary(view.open.map { ($0.id, $0) }) { $1 }
        outboxes[device.index] = now
        for mutation in view.open where mutation.state == .queued && before[mutation.id]?.state == .sending {
            // It may be changed now, and what leaves then leaves for the first time.
            forgetDepartures(of: MutationName(device: device.index, id: mutation.id))
        }
        var gone: [PendingMutation] = []
        for (id, former) in before where now[id] == nil {
            guard try view.store.findMutation(id: id)?.state == .merged(into: nil) else { continue }
            gone.append(former)
        }
        for mutation in gone.sorted(by: { $0.id < $1.id }) {
            let name = MutationName(device: device.index, id: mutation.id)
            if mutation.operation == .create, let twin = try twin(of: mutation, name, view) {
                twins[name] = twin
                standsFor[device.index][mutation.entityId] = twin
            }
        }
    }

    /// These records, and those that have come to stand for them on a device.
    func withStandIns(_ ids: Set<String>) -> Set<String> {
        standsFor.reduce(ids) { all, others in all.union(all.compactMap { others[$0] }) }
    }

    /// The record that a creation stands for that has left the outbox without having been accepted.
    private func twin(of mutation: PendingMutation, _ name: MutationName, _ view: DeviceView) throws -> String? {
        if let told = server.twins[name] { return told }
        if server.gateway == .exact || server.effects(of: name).contains(where: { $0.landed == mutation.entityId }) {
            return nil
        }
        // Servers of the first API only say that there is one: it was found in a listing.
        guard
            let type = (EntitySchema.trendy.types + [Memo.self]).first(where: { $0.entityType == mutation.entityType })
        else { return nil }
        let own = try view.fields(of: mutation.payload)
        // A feed does not tell all of them.
        let candidates = server.feed.versions.values.joined().filter { version in
            guard version.entityType == mutation.entityType, version.entityId != mutation.entityId,
                let fields = version.fields
            else { return false }
            if type.isSame(own, fields) { return true }
            return type.naturalKey.isEmpty
                && type.fields.allSatisfy { $0 == "id" || (own[$0] ?? .null) == (fields[$0] ?? .null) }
        }
        // Of several in a row it is the one to which the children have gone.
        let named = Set(view.open.flatMap { idPattern(String(decoding: $0.payload ?? Data(), as: UTF8.self)) })
        let ids = candidates.sorted { $0.effect < $1.effect }.map(\.entityId)
        return ids.last(where: named.contains) ?? ids.last
    }

    // MARK: Who said what

    /// Whether people of a device gave a value to a place of a record, or of any, and people of no other device gave it
    /// to that place of any record: then it is no other side, however it came back to the device.
    func isOnlyOwn(
        _ value: JSONValue, _ path: FieldPath, of type: EntityType, _ id: String? = nil, on device: Int
    ) -> Bool {
        let givers = acts.filter { $0.entityType == type && $0.gave(value, to: path) }
        return givers.contains { $0.device == device && (id == nil || $0.entityId == id) }
            && givers.allSatisfy { $0.device == device }
    }

    /// Whether only a device's own people have done something to a record, and nothing that others did can have changed it: it
    /// has all references that it was given.
    func isOnlyOwn(_ type: EntityType, _ id: String, _ version: JSONValue, on device: Int) -> Bool {
        let done = acts.filter { $0.entityId == id }
        let references = EntitySchema.trendy.type(for: type)?.parents.map(\.field) ?? []
        return !done.isEmpty && done.allSatisfy { $0.device == device }
            && references.allSatisfy { field in
                version.objectValue?[field] ?? .null != .null || !done.contains { $0.fields?[field] ?? .null != .null }
            }
    }
}

/// A parent that a person gave a record, and that was taken back before it was sent.
struct Withdrawal {
    var device: Int
    var entityId: String
    var path: FieldPath
    /// How many things people had done before.
    var actsBefore: Int
}

extension Fields {
    /// Whether a change names a place.
    func names(_ path: FieldPath) -> Bool {
        guard let value = self[path.field] else { return false }
        guard let key = path.key else { return true }
        return value.objectValue?[key] != nil
    }
}

extension Act {
    /// Whether it left a place with a value. A creation leaves out what is empty.
    fileprivate func gave(_ value: JSONValue, to path: FieldPath) -> Bool {
        switch change {
        case .create(let fields): fields[path] == value
        case .update(let changes): changes.names(path) && changes[path] == value
        case .delete: false
        }
    }
}
