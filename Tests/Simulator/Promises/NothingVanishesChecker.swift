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

    init(devices: Int) {
        open = Array(repeating: [:], count: devices)
        refused = Array(repeating: [], count: devices)
        failed = Array(repeating: [:], count: devices)
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        guard exchange.isWrite else { return }
        let device = exchange.sender.device
        let text = exchange.path + String(decoding: exchange.request.body ?? .init(), as: UTF8.self)
        let ids = idPattern(text)
        let isRefusal = (400..<500).contains(response.status) && ![401, 408, 425, 429].contains(response.status)
        if isRefusal || response.status == 207 { refused[device].formUnion(ids) }
        for id in ids where response.status >= 500 || response.status == 200 { failed[device][id, default: 0] += 1 }
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        let now = Dictionary(view.open.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        for (id, before) in open[device.index].sorted(by: { $0.key < $1.key }) where now[id] == nil {
            try explain(before, view, device, world)
        }
        for mutation in view.open {
            if case .parked(let reason) = mutation.state, open[device.index][mutation.id]?.state != mutation.state {
                try justify(reason, mutation, device, world)
            }
        }
        open[device.index] = now
    }

    /// A mutation that waited does not wait any more.
    private func explain(
        _ before: PendingMutation, _ view: DeviceView, _ device: SimulatedDevice, _ world: World
    ) throws {
        let name =
            "\(before.operation) of \(before.entityType) \(before.entityId), mutation \(before.id) of device \(device.index)"
        guard let after = try view.store.findMutation(id: before.id) else {
            return world.report(promise, "the \(name) is gone from the ledger")
        }
        switch after.state {
        case .accepted:
            let id = after.answer?.entityId ?? after.entityId
            let isDone = world.server.effects.contains { effect in
                effect.operation == after.operation && effect.ids.contains(id)
            }
            // A deletion is accepted too where somebody else was faster; a record may go with its parent.
            if !isDone, after.operation != .delete {
                world.report(promise, "the \(name) counts as accepted, and the server never took it")
            }
        case .merged(let into?):
            if try view.store.findMutation(id: into) == nil {
                world.report(promise, "the \(name) went into mutation \(into), which is nowhere")
            }
        case .dropped where !world.droppers.contains(device.index):
            world.report(promise, "the \(name) was dropped, and nobody asked for it")
        default: break
        }
    }

    /// A mutation was parked.
    private func justify(
        _ reason: ParkReason, _ mutation: PendingMutation, _ device: SimulatedDevice, _ world: World
    ) throws {
        let id = mutation.entityId
        let isJust =
            switch reason.code {
            case .rejected, .duplicate: refused[device.index].contains(id)
            case .blamed: failed[device.index][id, default: 0] >= device.sizes.configuration.blameLimit
            // Who reads of the deletion may not have read yet that somebody brought the record back.
            case .deletedElsewhere: world.server.record(mutation.entityType, id) == nil || world.remade.contains(id)
            case .cleared: world.clearers.contains(device.index)
            case .unreadable: false
            }
        if !isJust {
            world.report(
                promise,
                "mutation \(mutation.id) of device \(device.index) was parked as \(reason.code) without cause: \(reason.message)"
            )
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
