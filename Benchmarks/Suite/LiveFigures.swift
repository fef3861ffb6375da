import Foundation
import Synchronization
import TrendyData
import TrendyDomain
import TrendySync

/// How long a record takes from one device to another when both follow the server, while many others watch.
///
/// The devices are engines on stores of their own in this process; the server is a process, and each commit waits for
/// the disk.
struct LiveFigures {
    let workplace: Workplace

    /// Watchers beside the two devices, in accounts of their own.
    private let others = 1_000
    private let watchersOfAccount = 50
    private let records = 400

    func run() async throws -> [Figure] {
        try allowConnections(2 * others + 256)
        try workplace.startServer()
        let server = try ServerAddress(parse: workplace.address)
        let clients = try await accounts(on: server)
        // What the server needs for its first streams, and has needed for passwords, is not for each watcher.
        var crowd = try await watch(clients, each: 1)
        let before = try workplace.serverMemory()
        crowd += try await watch(clients, each: watchersOfAccount)
        let after = try workplace.serverMemory()
        let times = try await deliver(server)
        for watcher in crowd { watcher.cancel() }
        let figures = times.sorted()
        func percentile(_ part: Double) -> Double { figures[min(figures.count - 1, Int(Double(figures.count) * part))] }
        return [
            Figure(
                name: "record from A to B, both following, median", value: percentile(0.5) * 1_000, unit: "ms",
                target: .atMost(25), detail: "\(records) records, \(others) others watch"),
            Figure(
                name: "record from A to B, both following, 99 of 100", value: percentile(0.99) * 1_000, unit: "ms",
                target: .atMost(100), detail: "slowest \(milliseconds(figures.last ?? .nan))"),
            Figure(
                name: "server's memory for each watcher", value: Double(after - before) / Double(others) / 1_000,
                unit: "kB", target: .atMost(60),
                detail: String(format: "%.1f MB, %.1f MB", Double(before) / 1e6, Double(after) / 1e6)),
        ]
    }

    // MARK: The others

    private func accounts(on server: ServerAddress) async throws -> [APIClient] {
        let transport = standardTransport(configuration: TransportConfiguration(connectionsPerHost: 2 * others))
        var clients: [APIClient] = []
        for account in 0..<(others / watchersOfAccount) {
            let client = APIClient(server: server, credentials: InMemoryCredentialStore(), transport: transport)
            try await client.signup(email: "other-\(account)@example.org", password: Self.password)
            clients.append(client)
        }
        return clients
    }

    /// Opens streams, and waits until each has heard its head.
    private func watch(_ clients: [APIClient], each count: Int) async throws -> [Task<Void, Never>] {
        let heard = Arrivals()
        var tasks: [Task<Void, Never>] = []
        for client in clients {
            for _ in 0..<count {
                tasks.append(
                    Task {
                        try? await client.watchHeads { signal in
                            if case .head = signal { heard.note() }
                        }
                    })
            }
            await heard.wait(for: tasks.count)
        }
        return tasks
    }

    // MARK: The two

    /// Writes on A, again and again, and measures until each is on B.
    private func deliver(_ server: ServerAddress) async throws -> [Double] {
        let (a, b) = (try await device("a", server, signsUp: true), try await device("b", server, signsUp: false))
        let arrivals = Arrivals()
        let following = [
            Task { try await a.follow() },
            Task {
                try await b.follow(syncing: {
                    let report = await b.performSync()
                    arrivals.note(report.pulled)
                    return report
                })
            },
        ]
        defer { for task in following { task.cancel() } }
        let identifiers = UUIDv7Generator()
        let type = try await a.create(EventType(id: identifiers.makeId(), name: "coffee"))
        await arrivals.wait(for: 1)
        var (times, random) = ([Double](), SystemRandomNumberGenerator())
        for number in 0..<records {
            // Each is told alone: nothing is saved by telling several as one.
            try await Task.sleep(for: .milliseconds(Int.random(in: 25...60, using: &random)))
            let event = Event(
                id: identifiers.makeId(), eventTypeId: type.id, timestamp: Timestamp(milliseconds: Int64(number)),
                notes: "a note of ordinary length")
            let start = ContinuousClock.now
            try await a.create(event)
            await arrivals.wait(for: number + 2)
            times.append((ContinuousClock.now - start) / .seconds(1))
        }
        return times
    }

    private func device(_ name: String, _ server: ServerAddress, signsUp: Bool) async throws -> SyncEngine {
        let store = workplace.folder.appending(path: "live-\(name)/trendy.sqlite").path
        let client = APIClient(server: server, credentials: InMemoryCredentialStore())
        let (email, password) = ("live@example.org", Self.password)
        _ =
            signsUp
            ? try await client.signup(email: email, password: password)
            : try await client.login(email: email, password: password)
        return SyncEngine(networkClient: client, dataStoreFactory: LocalStoreFactory(path: store))
    }

    private static let password = "a password for measuring"

    private func allowConnections(_ count: Int) throws {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = min(max(limit.rlim_cur, rlim_t(count)), limit.rlim_max)
        guard setrlimit(files, &limit) == 0, limit.rlim_cur >= rlim_t(count) else {
            throw ChildFailure(description: "\(count) connections need a higher limit of open files: ulimit -n")
        }
    }
}

/// Counts what arrives, for one task that waits.
private final class Arrivals: Sendable {
    private struct State {
        var count = 0
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())

    func note(_ count: Int = 1) {
        let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.count += count
            guard let waiting = state.waiting, state.count >= waiting.count else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        ready?.resume()
    }

    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.count >= count { return true }
                state.waiting = (count, continuation)
                return false
            }
            if isReached { continuation.resume() }
        }
    }
}
