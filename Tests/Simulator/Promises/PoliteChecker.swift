import Foundation
import TrendyData
import TrendyDomain
import TrendySync
import TrendyTestSupport

/// Promise 11: silence where the server asked for it.
///
/// It keeps a count of its own of what the server said: two refusals in a row ask for 150 seconds, then 300; a
/// `Retry-After` for as long as it says.
final class PoliteChecker: PromiseChecker {
    private struct Silence {
        var refusals = 0
        var pauses = 0
        /// By the device's clock.
        var until: Timestamp?
        /// In truth, but for jumps ahead of the device's clock.
        var end = Timestamp(milliseconds: 0)

        mutating func lasts(_ seconds: Double, _ now: Timestamp, _ truth: Timestamp) {
            end = max(until == nil ? truth : end, truth.advanced(bySeconds: seconds))
            until = max(until ?? now, now.advanced(bySeconds: seconds))
        }
    }

    let promise = Promise.polite
    private var silences: [Silence]
    /// What was refused because of its token, and may be tried once more by the client.
    private var signedOut: [Set<TransportRequest>]
    /// What was known before the last answer that a process got.
    private var before: (process: ProcessName, breaker: JSONValue?, silence: Silence)?

    init(devices: Int) {
        silences = Array(repeating: Silence(), count: devices)
        signedOut = Array(repeating: [], count: devices)
    }

    /// The person wants to go on at once.
    func forget(_ device: Int) {
        silences[device] = Silence()
        if before?.process.device == device { before = nil }
    }

    /// A pause that is over is not begun again by setting the clock back. No device can tell a jump ahead from time that
    /// passes.
    func clockWillJump(_ device: Int, at now: Timestamp, by milliseconds: Int64) {
        if let until = silences[device].until, now >= until { silences[device].until = nil }
        if milliseconds > 0 { silences[device].end = silences[device].end.advanced(byMilliseconds: -milliseconds) }
    }

    func departed(_ exchange: Exchange, in world: World) throws {
        let device = exchange.sender.device
        if before?.process == exchange.sender { before = nil }
        let now = world.devices[device].clock.now()
        // The client's own second try with a renewed token is part of the first, which left before the refusal.
        if exchange.isSignIn { return }
        let isSecondTry = signedOut[device].remove(exchange.request.withoutToken) != nil
        guard let until = silences[device].until else { return }
        // A pause that is over is not begun again by setting the clock back, and lasts no longer by that.
        let left = min(until.seconds(since: now), silences[device].end.seconds(since: world.server.clock.now()))
        if left <= 0 { silences[device].until = nil }
        if left <= 0 || isSecondTry { return }
        world.report(promise, "\(exchange.sender) sends \(exchange.request) \(left) s before the pause is over")
    }

    func received(_ response: TransportResponse, _ exchange: Exchange, in world: World) throws {
        let device = exchange.sender.device
        if exchange.isSignIn || !exchange.isHeard(in: world) { return }
        if response.status == 401 { signedOut[device].insert(exchange.request.withoutToken) }
        remember(exchange.sender, world)
        let now = world.devices[device].clock.now()
        var silence = silences[device]
        let isSilent = silence.until.map { now < $0 } ?? false
        if response.status == 429 {
            let asked = response.header("Retry-After").flatMap(Double.init) ?? 0
            var pause = asked
            if !isSilent {
                silence.refusals += 1
                if silence.refusals >= 2 {
                    pause = max(pause, silence.pauses == 0 ? 150 : 300)
                    silence.pauses += 1
                }
                silence.until = nil
            }
            if pause > 0 { silence.lasts(pause, now, world.server.clock.now()) }
        } else if !isSilent {
            silence = Self.after(response, exchange, silence)
        } else if !Self.isTaken(response) {
            // It was under way before. The pause goes on, but the row of refusals that led to it is at its end.
            silence.refusals = 0
        }
        silences[device] = silence
    }

    /// A failure ends the row of refusals, also where it comes in a pause; not the pause, nor the row of pauses. A request
    /// whose token cannot be renewed has failed as well.
    func lost(_ exchange: Exchange, _ error: APIError, in world: World) throws {
        if !exchange.isHeard(in: world) { return }
        remember(exchange.sender, world)
        silences[exchange.sender.device].refusals = 0
    }

    private func remember(_ sender: ProcessName, _ world: World) {
        before = (sender, breaker(of: world.devices[sender.device], world), silences[sender.device])
    }

    private func breaker(of device: SimulatedDevice, _ world: World) -> JSONValue? {
        let text = try? device.reader().metadata(MetadataKey.breaker(of: world.environment.address.description))
        return text.flatMap { try? WireCoding.decode(JSONValue.self, from: Data($0.utf8)) }
    }

    /// What a process learned and died of is not known to the next one. It may have saved meanwhile what came before the
    /// refusal in the same exchange, so that the stored breaker is another, and not a stricter one.
    func died(_ process: DeviceProcess, in world: World) throws {
        let device = world.devices[process.name.device]
        guard let before, before.process == process.name else { return }
        let (stored, earlier) = (breaker(of: device, world), before.breaker)
        func silence(_ breaker: JSONValue?) -> JSONValue? { breaker?.objectValue?["silentUntil"] }
        func count(_ name: String, _ breaker: JSONValue?) -> Double {
            breaker?.objectValue?[name]?.doubleValue ?? 0
        }
        // A success that was saved ends the row of pauses.
        guard silence(stored) == silence(earlier), count("refusals", stored) <= count("refusals", earlier),
            count("trips", stored) >= count("trips", earlier)
        else { return }
        var silence = before.silence
        silence.refusals = min(silence.refusals, Int(count("refusals", stored)))
        silences[process.name.device] = silence
    }

    private static func isWhole(_ response: TransportResponse) -> Bool {
        (try? WireCoding.decode(JSONValue.self, from: response.body)) != nil
    }

    private static func isSuccess(_ response: TransportResponse) -> Bool {
        let isJSON = response.header("Content-Type")?.hasPrefix("application/json") ?? (response.status == 204)
        return (200..<300).contains(response.status) && isJSON
    }

    /// Whether it is a success beyond doubt: one that is cut off is a failure, and of a batch all may be refused.
    private static func isTaken(_ response: TransportResponse) -> Bool {
        isSuccess(response) && response.status != 207 && (response.status == 204 || isWhole(response))
    }

    private static func after(_ response: TransportResponse, _ exchange: Exchange, _ silence: Silence) -> Silence {
        var silence = silence
        // Only what is surely a success ends the row of pauses; anything else at most the row of refusals.
        let isSuccess = isSuccess(response)
        if isSuccess { return Silence() }
        silence.refusals = 0
        return silence
    }
}

extension Exchange {
    /// Whether the process that sent the request is there to hear the answer.
    fileprivate func isHeard(in world: World) -> Bool {
        world.devices[sender.device].processes[sender.process].isAlive
    }
}

extension TransportRequest {
    /// The request as it is, whoever is signed in.
    fileprivate var withoutToken: TransportRequest {
        var request = self
        request.headers["Authorization"] = nil
        return request
    }
}
