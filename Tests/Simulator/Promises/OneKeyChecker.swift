import Foundation
import TrendyData
import TrendyDomain

/// Promise 2, the moment of sending: a mutation keeps its key until a person decides about it, and leaves under it.
final class OneKeyChecker: PromiseChecker {
    let promise = Promise.exactlyOnce
    private var keys: [MutationName: String] = [:]
    /// The key under which a request of the first API carried a mutation last, until it is answered.
    private var sent: [MutationName: String] = [:]

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for mutation in view.open {
            let name = MutationName(device: device.index, id: mutation.id)
            let before = keys.updateValue(mutation.clientRequestId, forKey: name)
            if let before, before != mutation.clientRequestId {
                sent[name] = nil
                if world.isActing { continue }
                world.report(
                    promise, "mutation \(mutation.id) of device \(device.index) has another key, and nobody asked for it")
            }
        }
    }

    func departed(_ exchange: Exchange, in world: World) throws {
        for change in exchange.sent {
            guard let mutation = change.mutation else {
                if world.devices[exchange.sender.device].processes[exchange.sender.process].isAlive {
                    world.report(
                        promise, "\(exchange.sender) sends a \(change.operation) of \(change.id) that no mutation stands for")
                }
                continue
            }
            let name = MutationName(device: exchange.sender.device, id: mutation)
            if world.server.gateway == .exact {
                if let own = keys[name], own != change.key {
                    world.report(
                        promise, "\(exchange.sender) sends mutation \(mutation) under \(change.key ?? "no key")")
                }
            } else if exchange.sent.count == 1 {
                try compare(change, name, exchange, world)
            }
        }
    }

    /// By the first API batches have keys of their own, and what is left of a creation goes as an edit.
    private func compare(_ change: SentChange, _ name: MutationName, _ exchange: Exchange, _ world: World) throws {
        guard let key = change.key else {
            return world.report(promise, "\(exchange.sender) sends \(exchange.request) without a key")
        }
        let operation = exchange.request.method
        let own = keys[name]
        let mayDiffer = operation == .put && change.operation == .update && own != key
        if let own, own != key, !mayDiffer {
            world.report(promise, "\(exchange.sender) sends \(exchange.request) under \(key) and not \(own)")
        }
    }
}
