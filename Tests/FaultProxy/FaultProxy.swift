import NIOCore
import NIOPosix
import Synchronization

/// Stands between a client and a server and does to their connections what networks do.
///
/// It listens on loopback, passes requests on to a server there, and follows a ``FaultPlan``. It records what it
/// saw, so that a test can count requests. Without a server behind it, it answers what its plan says and 502 else.
/// Routes that it hides are 404, whatever the plan says: the server behind it seems not to have them.
public final class FaultProxy: Sendable {
    private struct State {
        var run: FaultPlanRun
        var seen: [SeenRequest] = []
        var upstream: Int?
        var underWay = 0
    }

    /// Where it can be reached: `http://127.0.0.1:PORT`.
    public let address: String
    let gate = Gate()
    private let hidden: FaultPlan.Match?
    private let state: Mutex<State>
    private let listener: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>

    private init(
        listener: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>, upstream: Int?, plan: FaultPlan,
        hidden: FaultPlan.Match?
    ) {
        self.listener = listener
        self.hidden = hidden
        address = "http://127.0.0.1:\(listener.channel.localAddress?.port ?? 0)"
        state = Mutex(State(run: FaultPlanRun(plan), upstream: upstream))
    }

    deinit {
        listener.channel.close(promise: nil)
    }

    /// Starts a proxy.
    ///
    /// - Parameters:
    ///   - upstream: The port of the server on this machine; nil for none.
    ///   - plan: The faults from the beginning on.
    ///   - hidden: The routes that the server seems not to have.
    public static func start(
        before upstream: Int?, plan: FaultPlan = FaultPlan(), hiding hidden: FaultPlan.Match? = nil
    ) async throws -> FaultProxy {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.backlog, value: 64)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let proxy = FaultProxy(listener: listener, upstream: upstream, plan: plan, hidden: hidden)
        Task { [weak proxy] in
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    guard let proxy else { return }
                    Task { await ProxyConnection(proxy: proxy, client: connection).serve() }
                }
            }
        }
        return proxy
    }

    /// Follows another plan from the next request on; its counting begins anew.
    public func follow(_ plan: FaultPlan) {
        state.withLock { $0.run = FaultPlanRun(plan) }
    }

    /// Lets everything pass from the next request on, and releases what is held back.
    public func heal() {
        follow(FaultPlan())
        release()
    }

    /// Releases the answers that are held back.
    public func release() {
        gate.open()
    }

    /// Passes requests on to a server that came back on another port.
    public func forward(to port: Int) {
        state.withLock { $0.upstream = port }
    }

    /// What came since the start, or since it was last forgotten.
    public var requests: [SeenRequest] {
        state.withLock { $0.seen }
    }

    /// Forgets what came so far.
    public func forgetRequests() {
        state.withLock { $0.seen = [] }
    }

    /// How many requests of a kind came.
    public func count(_ method: String? = nil, _ path: String = "/") -> Int {
        let match = FaultPlan.Match(method, path)
        return requests.count { match.covers($0.method, $0.path) }
    }

    /// Waits until a request has come that the condition holds for.
    public func waitForRequest(_ condition: @escaping @Sendable (SeenRequest) -> Bool) async throws {
        while !requests.contains(where: condition) {
            try await RealTime.pause(.milliseconds(1))
        }
    }

    /// Waits until no request is under way any more, those that their clients gave up included.
    public func waitUntilQuiet() async throws {
        while state.withLock({ $0.underWay > 0 }) {
            try await RealTime.pause(.milliseconds(5))
        }
    }

    /// An exchange that was admitted is over.
    func finish() {
        state.withLock { $0.underWay -= 1 }
    }

    var upstream: Int? {
        state.withLock { $0.upstream }
    }

    /// Records a request and decides what happens to it.
    func admit(_ request: Message) -> (method: String, fault: Fault?) {
        let words = request.start.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let method = words.first ?? ""
        let target = (words.count > 1 ? words[1] : "").split(separator: "?", maxSplits: 1).map(String.init)
        let path = target.first ?? ""
        let token = request.header("authorization").map { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : $0 }
        if hidden?.covers(method, path) == true {
            state.withLock { $0.underWay += 1 }
            return (method, .answer(.notFound))
        }
        return state.withLock { state in
            let fault = state.run.fault(for: method, path, token: token)
            let seen = SeenRequest(
                method: method, path: path, query: target.count > 1 ? target[1] : "", token: token,
                idempotencyKey: request.header("idempotency-key"), fault: fault.map { "\($0)" }, at: .now)
            state.seen.append(seen)
            state.underWay += 1
            return (method, fault)
        }
    }
}
