public import TrendyDomain

/// The promises that every server of the exchange must keep: what `Docs/Protocol.md` says, with Trendy's kinds.
///
/// It needs no test library; with Swift Testing, run it like this:
///
/// ```swift
/// let contract = ExchangeContract { ExchangeContract.Subject(exchange: { try await client.exchange($0) }) }
///
/// @Test(arguments: ExchangeContract.checks)
/// func keepsTheContract(_ check: ExchangeContract.Check) async throws { try await contract.run(check) }
/// ```
public struct ExchangeContract: Sendable {
    /// A server with one account, which is empty.
    public struct Subject: Sendable {
        /// Carries out a request; throws ``APIError``.
        public var exchange: @Sendable (SyncRequest) async throws -> SyncResponse
        /// Makes the server forget the keys of mutations; nil where a test cannot.
        public var forgetKeys: (@Sendable () async throws -> Void)?
        /// Makes the server drop its tombstones; nil where a test cannot.
        public var pruneTombstones: (@Sendable () async throws -> Void)?
        /// Starts the server anew on its data; nil where a test cannot.
        public var restart: (@Sendable () async throws -> Void)?
        /// Copies the server's data. The answer puts the copy in the place of the data, as a snapshot of a disk is put back:
        /// the server starts anew, and nobody tells it. Nil where a test cannot.
        public var copyData: (@Sendable () async throws -> @Sendable () async throws -> Void)?

        /// Makes a subject of the ways to reach a server.
        public init(
            exchange: @escaping @Sendable (SyncRequest) async throws -> SyncResponse,
            forgetKeys: (@Sendable () async throws -> Void)? = nil,
            pruneTombstones: (@Sendable () async throws -> Void)? = nil,
            restart: (@Sendable () async throws -> Void)? = nil,
            copyData: (@Sendable () async throws -> @Sendable () async throws -> Void)? = nil
        ) {
            self.exchange = exchange
            self.forgetKeys = forgetKeys
            self.pruneTombstones = pruneTombstones
            (self.restart, self.copyData) = (restart, copyData)
        }
    }

    /// One promise of a server.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise, as a sentence.
        public let name: String
        let body: @Sendable (Scene) async throws -> Void

        /// The name of the check.
        public var description: String { name }

        init(_ name: String, _ body: @escaping @Sendable (Scene) async throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Two devices of an account that has an event type at revision 1, ``testId(_:)`` 1, named "coffee".
    struct Scene {
        let subject: Subject
        let a: ExchangePeer
        let b: ExchangePeer

        /// The account's records by their ids, as a device sees them that begins anew.
        func contents() async throws -> [String: JSONValue] {
            let changes = try await ExchangePeer(named: "reader", exchange: subject.exchange).catchUp()
            return Dictionary(changes.map { ($0.entityId, $0.record ?? .null) }, uniquingKeysWith: { $1 })
                .filter { $0.value != .null }
        }

        func expectContents(_ expected: [Int: JSONValue], _ field: String, _ what: String) async throws {
            let found = try await contents()
            for (number, value) in expected {
                try expectEqual(found[testId(UInt64(number))]?[field] ?? .null, value, "\(what): \(field) of \(number)")
            }
        }
    }

    private let makeSubject: @Sendable () async throws -> Subject

    /// Makes the suite for a server.
    ///
    /// - Parameter makeSubject: Makes a server, or an account of one, that has no records.
    public init(makeSubject: @escaping @Sendable () async throws -> Subject) {
        self.makeSubject = makeSubject
    }

    /// All checks.
    public static let checks: [Check] =
        outcomeChecks + deletionChecks + replayChecks + changeChecks + historyChecks
        + runChecks

    /// Runs a check against a new account. A check for which the subject lacks a way does nothing.
    ///
    /// - Throws: ``ContractViolation`` where the promise is broken, or what the server threw.
    public func run(_ check: Check) async throws {
        let subject = try await makeSubject()
        let a = ExchangePeer(named: "a", exchange: subject.exchange)
        try await a.sync([a.create(makeEventType(id: testId(1), name: "coffee"))])
        try await check.body(
            Scene(subject: subject, a: a, b: ExchangePeer(named: "b", exchange: subject.exchange)))
    }
}

/// Throws a violation unless the outcomes are those, in that order.
func expectOutcomes(_ results: [SyncResult], _ expected: [SyncOutcome], _ what: String) throws {
    try expectEqual(results.map(\.outcome), expected, "outcomes of \(what)")
}

/// Throws a violation unless the request is refused as a whole with that status and problem.
func expectRefusal(_ status: Int, _ name: String, _ what: String, _ body: () async throws -> some Any) async throws {
    do {
        _ = try await body()
    } catch APIError.http(status, let problem) where problem.type == "urn:trendy:error:\(name)" {
        return
    } catch {
        throw ContractViolation(description: "\(what): threw \(error), expected \(status) \(name)")
    }
    throw ContractViolation(description: "\(what): was answered, expected \(status) \(name)")
}
