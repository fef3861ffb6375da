import Foundation
import TrendyData
import TrendyDomain

/// Promise 13: being signed out changes neither queue nor attempts.
final class SignedOutChecker: PromiseChecker {
    let promise = Promise.signedOut
    /// The attempts of each open mutation when the sign-in service was first out for its device.
    private var attempts: [Int: [Int64: Int]] = [:]
    /// Devices that have been told something else since their last commit: an exchange by the first API has many answers.
    private var isTold: Set<Int> = []

    func departed(_ exchange: Exchange, in world: World) throws {
        let device = exchange.sender.device
        if !world.server.signInIsOut {
            attempts[device] = nil
        } else if attempts[device] == nil, !exchange.isSignIn, !isTold.contains(device) {
            attempts[device] = present(in: try world.view(of: world.devices[device]))
        }
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        // Any other failure may count as an attempt.
        if response.status != 401 {
            attempts[exchange.sender.device] = nil
            isTold.insert(exchange.sender.device)
        }
    }

    func lost(_ exchange: Exchange, _ error: APIError, in world: World) throws {
        // A connection that breaks while nobody is signed in is a broken connection all the same.
        attempts[exchange.sender.device] = nil
        isTold.insert(exchange.sender.device)
    }

    func committed(_ view: DeviceView, _ device: SimulatedDevice, in world: World) throws {
        if !world.isActing { isTold.remove(device.index) }
        guard let known = attempts[device.index] else { return }
        // A person who clears the queue counts what is under way as tried.
        if world.isActing || !world.server.signInIsOut {
            attempts[device.index] = world.server.signInIsOut ? present(in: view) : nil
            return
        }
        for mutation in view.open {
            if let before = known[mutation.id], before != mutation.attempts {
                world.report(
                    promise, "mutation \(mutation.id) of device \(device.index) counts an attempt while signed out")
            }
        }
        for id in known.keys.sorted() where !view.open.contains(where: { $0.id == id }) {
            let now = try view.store.findMutation(id: id)
            if now == nil || now?.state == .accepted {
                world.report(promise, "mutation \(id) of device \(device.index) left the queue while signed out")
            }
        }
    }

    private func present(in view: DeviceView) -> [Int64: Int] {
        Dictionary(view.open.map { ($0.id, $0.attempts) }, uniquingKeysWith: { $1 })
    }
}
