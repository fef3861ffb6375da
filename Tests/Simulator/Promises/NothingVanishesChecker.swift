import Foundation
import TrendyData
import TrendyDomain
import TrendySync

/// Promise 3: a mutation leaves the queue by the server's acceptance, by merging, or by the person's word.
final class NothingVanishesChecker: PromiseChecker {
    let promise = Promise.nothingVanishes
    private var open: [[Int64: PendingMutation]]
    /// Records of which the server has refused something, by device.
    private var refused: [Set<String>]
    private var failed: [[String: Int]]
    /// What the edits of each record speak of that waited at the last commit.
    private var said: [[String: [(mutation: Int64, paths: Set<FieldPath>)]]]

    init(devices: Int) {
        open = Array(repeating: [:], count: devices)
        refused = Array(repeating: [], count: devices)
        failed = Array(repeating: [:], count: devices)
        said = Array(repeating: [:], count: devices)
    }

    /// A server that gives no answer in time has failed as well.
    func lost(_ exchange: Exchange, _ error: APIError, in world: World) {
        guard exchange.isWrite, exchange.sent.count == 1, let id = exchange.sent.first?.id else { return }
        failed[exchange.sender.device][id, default: 0] += 1
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        guard exchange.isWrite else { return }
        let device = exchange.sender.device
        let ids = exchange.sent.map(\.id)
        let isRefusal = (400..<500).contains(response.status) && ![401, 408, 425, 429].contains(response.status)
        if isRefusal && !isTooEarly(response) || response.status == 207 { refused[device].formUnion(ids) }
        for id in ids where response.status >= 500 || response.status == 200 { failed[device][id, default: 0] += 1 }
        // A deployed server says with 500 that a value is taken, or says nothing. Of a batch that says nothing of a single record.
        if response.status == 500, exchange.sent.count == 1, let sent = exchange.sent.first,
            String(decoding: response.body, as: UTF8.self).contains("duplicate key") || isNameTaken(sent, world)
        {
            refused[device].insert(sent.id)
        }
        if !exchange.isSync, (200..<300).contains(response.status) {
            // A server of the first API may say that it is done, and have left something out.
            for sent in exchange.sent
            where sent.data.paths.contains(where: { world.server.record(sent.id)?[$0] != sent.data[$0] }) {
                refused[device].insert(sent.id)
            }
        }
        guard exchange.isSync, response.status == 200, let answer = world.answer(response) else { return }
        let keys = Dictionary(exchange.sent.compactMap { sent in sent.key.map { ($0, sent.id) } }) { $1 }
        for result in answer.results where [.rejected, .duplicate].contains(result.outcome) {
            if result.errors?.contains(where: { $0.code == "future_timestamp" }) == true { continue }
            if let id = keys[result.key] { refused[device].insert(id) }
        }
    }

    /// Whether another record of the server has the name that was sent.
    private func isNameTaken(_ sent: SentChange, _ world: World) -> Bool {
        guard sent.data.names(FieldPath(field: "name")) else { return false }
        return world.server.feed.versions.contains { id, versions in
            guard id != sent.id, let last = versions.last, last.entityType == sent.entityType else { return false }
            return last.fields?["name"] == sent.data["name"]
        }
    }

    /// Whether a server refuses a record for the time in its id alone. Then it waits.
    private func isTooEarly(_ response: TransportResponse) -> Bool {
        let problem = try? WireCoding.decode(ProblemDetails.self, from: response.body)
        return problem?.type == "urn:trendy:error:future_timestamp"
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let now = Dictionary(view.open.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for (id, before) in open[device.index].sorted(by: { $0.key < $1.key }) {
            if let after = now[id] {
                if !world.isActing { try compare(before, after, view, device, world) }
            } else {
                try explain(before, view, device, world)
            }
        }
        for mutation in view.open {
            if case .parked(let reason) = mutation.state, open[device.index][mutation.id]?.state != mutation.state {
                try justify(reason, mutation, view, device, world)
            }
        }
        open[device.index] = now
        said[device.index] = try view.openByRecord.filter { $0.value.count > 1 }.mapValues { ofRecord in
            try ofRecord.filter { $0.operation == .update }.map { mutation in
                (mutation.id, Set(try view.fields(of: mutation.payload).paths))
            }
        }
    }

    /// A mutation that waits still says what it said, but for what the server has.
    private func compare(
        _ before: PendingMutation, _ after: PendingMutation, _ view: DeviceView, _ device: SimulatedDevice,
        _ world: World
    ) throws {
        guard before.payload != after.payload else { return }
        let (old, new) = (try view.fields(of: before.payload), try view.fields(of: after.payload))
        for path in old.paths where old[path] != new[path] || !new.names(path) {
            if try isSaidBehind(old[path], path, of: before, view) { continue }
            if isThere(old[path], path, of: before, device, world)
                || isMoved(old[path], to: new[path], path, of: before, device, world)
                || isCleared(old[path], new[path], path, of: before, device, world)
            {
                continue
            }
            world.report(
                promise, "\(name(before, device)) says nothing any more of \(path), which was \(old[path])")
        }
    }

    private func name(_ mutation: PendingMutation, _ device: SimulatedDevice) -> String {
        "the \(mutation.operation) of \(mutation.entityType) \(mutation.entityId), mutation \(mutation.id) of device "
            + "\(device.index),"
    }

    /// Whether another change of the record says the value: a name that is not free yet goes behind the create.
    private func isSaidBehind(
        _ value: JSONValue, _ path: FieldPath, of mutation: PendingMutation, _ view: DeviceView
    ) throws -> Bool {
        try (view.openByRecord[mutation.entityId] ?? []).contains { other in
            try other.id > mutation.id && view.fields(of: other.payload)[path] == value
        }
    }

    /// Whether the server has, or had, a value that is not said any more, or people here have said another since.
    private func isThere(
        _ value: JSONValue, _ path: FieldPath, of mutation: PendingMutation, _ device: SimulatedDevice, _ world: World
    ) -> Bool {
        let ids = [mutation.entityId, world.standsFor[device.index][mutation.entityId]].compactMap { $0 }
        let isOvertaken = (said[device.index][mutation.entityId] ?? []).contains {
            $0.mutation > mutation.id && $0.paths.contains(path)
        }
        // Servers of the older routes may spell a text in another way, so another spelling counts as what was sent.
        let isName = path == FieldPath(field: "name") && world.server.gateway == .rest
        let values = isName ? value.stringValue.map { Spelling.variants(of: $0).map(JSONValue.string) } : nil
        return isOvertaken || value == .null && mutation.operation == .create
            || ids.contains { id in (values ?? [value]).contains { world.wasThere($0, path, id, before: .max) } }
    }

    /// Whether the record that a value names has turned out to be another one, which is named now or on the server.
    private func isMoved(
        _ old: JSONValue, to new: JSONValue, _ path: FieldPath, of mutation: PendingMutation,
        _ device: SimulatedDevice, _ world: World
    ) -> Bool {
        guard let id = old.stringValue, let twin = world.standsFor[device.index][id] else { return false }
        return new == .string(twin) || isThere(.string(twin), path, of: mutation, device, world)
    }

    /// Whether a person here has deleted, since, the record that an optional reference names, or dropped its create, or anybody
    /// else has deleted it.
    private func isCleared(
        _ old: JSONValue, _ new: JSONValue, _ path: FieldPath, of mutation: PendingMutation,
        _ device: SimulatedDevice, _ world: World
    ) -> Bool {
        let references = device.schema.type(for: mutation.entityType)?.parents ?? []
        guard new == .null, references.contains(where: { $0.field == path.field && $0.onDelete == .clear }) else {
            return false
        }
        let said = world.acts.lastIndex { $0.device == device.index && $0.mutationId == mutation.id } ?? 0
        // A deletion that is not sent has no mutation.
        let isDeletedHere =
            old.stringValue.map { id in
                world.deletedHere[device.index][id] != nil || world.unmade[device.index]?.contains(id) == true
            } == true
            || world.acts.contains {
                $0.device == device.index && $0.isDelete && .string($0.entityId) == old && $0.mutationId > mutation.id
            }
        let ids = [old.stringValue, old.stringValue.flatMap { world.standsFor[device.index][$0] }].compactMap { $0 }
        return isDeletedHere || ids.contains { world.server.wasGone($0, after: said, before: .max) }
    }

    /// A mutation that waited does not wait any more.
    private func explain(
        _ before: PendingMutation, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws {
        guard let after = try view.store.findMutation(id: before.id) else {
            return world.report(promise, "\(name(before, device)) is gone from the ledger")
        }
        let isDone = !world.server.effects(of: MutationName(device: device.index, id: before.id)).isEmpty
        switch after.state {
        case .accepted where !isDone || world.server.gateway == .rest:
            // A deletion is accepted too where somebody else was faster.
            if try before.operation == .delete || hasNothingToSay(before, view, device, world) { return }
            world.report(promise, "\(name(before, device)) counts as accepted, and the server never took it")
        case .merged(let into?):
            if try view.store.findMutation(id: into) == nil {
                world.report(promise, "\(name(before, device)) went into mutation \(into), which is nowhere")
            }
        case .merged(nil) where !world.isActing && !isDone && before.operation != .delete:
            if try hasNothingToSay(before, view, device, world) || isPointless(before, view, device, world) { return }
            world.report(promise, "\(name(before, device)) counts as merged, and the server has nothing of it")
        case .dropped where !world.droppers.contains(device.index):
            world.report(promise, "\(name(before, device)) was dropped, and nobody asked for it")
        default: break
        }
    }

    /// Whether the server has all that a mutation says, or something else stands for its record.
    private func hasNothingToSay(
        _ mutation: PendingMutation, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws -> Bool {
        let name = MutationName(device: device.index, id: mutation.id)
        if world.twins[name] != nil { return true }
        let fields = try view.fields(of: mutation.payload)
        return fields.paths.allSatisfy { path in
            // A record that it names may have turned out to be another.
            let twin = fields[path].stringValue.flatMap { world.standsFor[device.index][$0] }
            return isThere(fields[path], path, of: mutation, device, world)
                || isCleared(fields[path], .null, path, of: mutation, device, world)
                || twin.map { isThere(.string($0), path, of: mutation, device, world) } ?? false
        }
    }

    /// Whether the record was deleted here, or with its parent, and the mutation is of what came before.
    private func isPointless(
        _ mutation: PendingMutation, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws -> Bool {
        let acts = world.acts.filter { $0.entityId == mutation.entityId }
        let named = acts.flatMap { ($0.fields ?? [:]).values.compactMap(\.stringValue) }
        let deleted = world.withStandIns(Set(named + [mutation.entityId]))
        return try deleted.contains { id in
            if view.openByRecord[id]?.contains(where: { $0.operation == .delete }) == true { return true }
            let query = MutationQuery(
                states: [.accepted, .merged], operations: [.delete], entityId: id, afterId: mutation.id)
            return try view.store.countMutations(query) > 0
        }
    }

    /// A mutation was parked.
    private func justify(
        _ reason: ParkReason, _ mutation: PendingMutation, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws {
        let id = mutation.entityId
        let isJust =
            switch reason.code {
            case .rejected, .duplicate: refused[device.index].contains(id)
            case .blamed:
                // A deletion that was made since passes what fails.
                failed[device.index][id, default: 0] >= device.sizes.configuration.blameLimit
                    || view.openByRecord[id]?.contains { $0.operation == .delete && $0.id > mutation.id } == true
            // Who reads of the deletion may not have read yet that somebody brought the record back.
            case .deletedElsewhere:
                world.server.record(id) == nil || world.remade.contains(id)
            case .blocked, .waiting: try isBlocked(mutation, view, world)
            case .cleared: world.clearers.contains(device.index) || world.isActing
            case .unreadable, .lostByServer: false
            case .madeElsewhere: mutation.operation == .delete
            }
        if !isJust {
            world.report(
                promise,
                "\(name(mutation, device)) was parked as \(reason.code) without cause: \(reason.message)")
        }
    }

    /// Whether an earlier mutation of the record is parked, or a record that it names was not there.
    private func isBlocked(_ mutation: PendingMutation, _ view: DeviceView, _ world: World) throws -> Bool {
        let ofRecord = view.openByRecord[mutation.entityId] ?? []
        if ofRecord.contains(where: { $0.id < mutation.id && $0.state.name == .parked }) { return true }
        let fields = try view.fields(of: mutation.payload)
        return ["event_type_id", "geofence_id"].contains { field in
            guard let parent = fields[field]?.stringValue else { return false }
            let versions = world.server.feed.versions[parent] ?? []
            return versions.isEmpty || versions.contains { $0.operation == .delete }
        }
    }
}

/// All ids in a text.
func idPattern(_ text: String) -> Set<String> {
    var found: Set<String> = []
    let parts = text.split { !($0.isHexDigit || $0 == "-") }
    for part in parts where part.utf8.count == 36 { found.insert(String(part)) }
    return found
}
