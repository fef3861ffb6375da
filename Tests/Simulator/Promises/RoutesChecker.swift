import TrendyData
import TrendyDomain

/// Promise 8, while a route is missing: a device that has spoken the exchange stays with it, so that it compares revisions
/// and takes nothing anew.
final class RoutesChecker: PromiseChecker {
    let promise = Promise.convergence
    /// The devices that have had an answer of the exchange.
    private var exchanging: Set<Int> = []

    func departed(_ exchange: Exchange, in world: World) throws {
        guard world.server.gateway == .exact, exchanging.contains(exchange.sender.device), !exchange.isSync,
            !exchange.isSignIn, exchange.path != "/health"
        else { return }
        world.report(promise, "\(exchange.sender) asks \(exchange.path) of a server that has the exchange")
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        if exchange.isSync, response.status == 200, world.answer(response) != nil {
            exchanging.insert(exchange.sender.device)
        }
    }
}
