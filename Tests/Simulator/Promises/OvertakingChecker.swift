import Foundation
import TrendyData
import TrendyDomain

/// Promise 4, the moment of sending: nothing leaves before what was done to its record earlier is settled.
///
/// A deletion passes what is parked of its record, and what waits behind that: it ends both.
final class OvertakingChecker: PromiseChecker {
    let promise = Promise.order
    /// The body of the last request that was refused because of its token. The client sends that request again with a new
    /// token, and chose its mutations before the refusal.
    private var signedOut: [ProcessName: Data] = [:]

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        if exchange.isSignIn { return }
        signedOut[exchange.sender] = response.status == 401 ? exchange.request.body : nil
    }

    func departed(_ exchange: Exchange, in world: World) throws {
        if let refused = signedOut[exchange.sender], refused == exchange.request.body { return }
        let device = world.devices[exchange.sender.device]
        guard exchange.isWrite, device.processes[exchange.sender.process].isAlive else { return }
        let open = try world.view(of: device).openByRecord
        for change in exchange.sent {
            guard let own = change.mutation, let ofRecord = open[change.id] else { continue }
            let parked = ofRecord.first { $0.state.name == .parked }?.id
            for earlier in ofRecord where earlier.id < own {
                let isHeldBack = parked.map { $0 <= earlier.id } == true && earlier.state != .sending
                if change.operation == .delete, isHeldBack { continue }
                world.report(
                    promise,
                    "\(exchange.sender) sends mutation \(own) before \(earlier.id) of the same record, which is "
                        + "\(earlier.state)")
            }
        }
    }
}
