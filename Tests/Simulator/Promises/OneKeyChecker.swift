import Foundation
import TrendyData
import TrendyDomain

/// Promise 2, the moment of sending: a mutation keeps its key while it says the same, until it is answered or a person
/// decides about it, and leaves under it.
final class OneKeyChecker: PromiseChecker {
    let promise = Promise.exactlyOnce
    private var keys: [MutationName: (key: String, content: String)] = [:]
    /// The keys under which what a mutation says has left.
    private var left: [MutationName: [String: String]] = [:]
    /// Mutations that a server has answered once more as it did before: where that proves nothing any more, they may ask
    /// under another key.
    private var replayed: Set<MutationName> = []
    /// The key under which a request of the first API carried a mutation, by the revision that it began from and by its
    /// body: over another base the mutation is another request, and so it is with values beside its own.
    private var sent: [MutationName: [Request: String]] = [:]

    private struct Request: Hashable {
        var base: Int64
        var body: Data?
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        for mutation in view.open {
            let name = MutationName(device: device.index, id: mutation.id)
            let content = "\(mutation.operation) \(mutation.entityId) \(Trace.digest(mutation.payload ?? Data()))"
            let before = keys.updateValue((mutation.clientRequestId, content), forKey: name)
            if let before, before.key != mutation.clientRequestId {
                (sent[name], left[name]) = (nil, nil)
                if before.content != content { continue }
                if world.isActing || replayed.remove(name) != nil { continue }
                world.report(
                    promise,
                    "mutation \(mutation.id) of device \(device.index) has another key, and nobody asked for it")
            }
        }
    }

    /// The bodies of requests that were refused because of the token. The client sends each once more by itself, whatever
    /// a person has decided meanwhile.
    private var signedOut: Set<Data> = []

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        if response.status == 401, let body = exchange.request.body { signedOut.insert(body) }
        guard exchange.isSync, exchange.isWrite, response.status == 200, let answer = world.answer(response) else {
            return
        }
        let mutations = Dictionary(exchange.sent.map { ($0.key ?? "", $0.mutation) }) { $1 }
        for result in answer.results where result.replayed {
            guard let mutation = mutations[result.key] ?? nil else { continue }
            replayed.insert(MutationName(device: exchange.sender.device, id: mutation))
        }
    }

    func departed(_ exchange: Exchange, in world: World) throws {
        if let body = exchange.request.body, signedOut.remove(body) != nil { return }
        for change in exchange.sent {
            guard let mutation = change.mutation else {
                if world.devices[exchange.sender.device].processes[exchange.sender.process].isAlive {
                    world.report(
                        promise,
                        "\(exchange.sender) sends a \(change.operation) of \(change.id) that no mutation stands for")
                }
                continue
            }
            let name = MutationName(device: exchange.sender.device, id: mutation)
            if world.server.gateway == .exact {
                let before = left[name, default: [:]].updateValue(change.key ?? "", forKey: change.content)
                if let before, before != change.key, !replayed.contains(name) {
                    world.report(
                        promise, "\(exchange.sender) sends mutation \(mutation) under \(change.key ?? "no key")")
                }
            } else if exchange.sent.count == 1 {
                try compare(change, name, exchange, world)
            }
        }
    }

    private func compare(_ change: SentChange, _ name: MutationName, _ exchange: Exchange, _ world: World) throws {
        guard let key = change.key else {
            return world.report(promise, "\(exchange.sender) sends \(exchange.request) without a key")
        }
        let store = try world.devices[name.device].reader()
        let base =
            try store.bases(change.entityType, ids: [change.id])[change.id]?.revision
            ?? store.standings(change.entityType, ids: [change.id])[change.id]?.revision ?? 0
        let request = Request(base: base, body: exchange.request.body)
        // Of an edit the key tells the version too, and of a base without a revision that is not known here.
        let before = base > 0 ? sent[name]?[request] : change.operation == .create ? keys[name]?.key : nil
        sent[name, default: [:]][request] = key
        if let before, before != key {
            world.report(
                promise, "\(exchange.sender) sends \(exchange.request) under \(key), which had the key \(before)")
        }
    }
}
