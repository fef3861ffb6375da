import TrendyData
import TrendyDomain

/// Promise 11, by count: a cycle of the exchange is one request; another follows only where there is more to receive,
/// or something is to be sent.
final class OneRequestChecker: PromiseChecker {
    let promise = Promise.polite
    /// Processes of whose sync the last answer left nothing to do.
    private var done: Set<String> = []
    /// The processes that sent what is under way. A process that is started anew has the place of a dead one.
    private var senders: [Int: String] = [:]

    func departed(_ exchange: Exchange, in world: World) throws {
        guard exchange.isSync, world.server.gateway == .exact else { return }
        let process = world.devices[exchange.sender.device].processes[exchange.sender.process]
        // Who passes over the feed asks beside the syncs, a second caller may get a cycle of his own, and another
        // process that syncs at the same time breaks another promise.
        let syncs = world.devices[exchange.sender.device].processes.reduce(0) { $0 + $1.syncs.count }
        if exchange.sent.isEmpty, done.contains(process.incarnation), syncs < 2,
            !world.skippers.contains(exchange.sender.device)
        {
            world.report(promise, "\(exchange.sender) asks once more, and nothing was left to send or to receive")
        }
        done.remove(process.incarnation)
        senders[exchange.id] = process.incarnation
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        let sender = senders.removeValue(forKey: exchange.id)
        guard exchange.isSync, response.status == 200, let answer = world.answer(response), !answer.more,
            answer.results.count == exchange.sent.count,
            answer.results.allSatisfy({ [.accepted, .rejected].contains($0.outcome) })
        else { return }
        let device = world.devices[exchange.sender.device]
        // A resync sends nothing until it is through. A search for what the server fails on asks whether it is well.
        let place = try world.view(of: device).place
        if place.resync != nil { return }
        // A person may have cleared the queue while a sync asked whether the server answers at all.
        if exchange.sent.isEmpty, place.isInDoubt == true { return }
        if let sender { done.insert(sender) }
    }

    func ended(_ sync: RunningSync, _ report: SyncReport, of process: DeviceProcess, in world: World) throws {
        done.remove(process.incarnation)
    }
}
