public import TrendyDomain

/// The checks that every implementation of ``EventRepositoryProtocol`` must pass: what an ``EventFilter`` means.
///
/// It needs no test library; with Swift Testing, run it like this:
///
/// ```swift
/// let contract = EventRepositoryContract { records in MyEventRepository(records) }
///
/// @Test(arguments: EventRepositoryContract.checks)
/// func keepsTheContract(_ check: EventRepositoryContract.Check) async throws { try await contract.run(check) }
/// ```
public struct EventRepositoryContract: Sendable {
    /// One promise of a repository.
    public struct Check: Sendable, CustomStringConvertible {
        /// The promise, as a sentence.
        public let name: String
        let body: @Sendable (Maker) async throws -> Void

        /// The name of the check.
        public var description: String { name }

        init(_ name: String, _ body: @escaping @Sendable (Maker) async throws -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Makes a repository of the records that it is given.
    public typealias Maker = @Sendable ([LocalRecord<Event>]) async throws -> any EventRepositoryProtocol

    private let makeRepository: Maker

    /// Makes the suite for an implementation.
    ///
    /// - Parameter makeRepository: Makes a repository that has these records and no others.
    public init(makeRepository: @escaping Maker) {
        self.makeRepository = makeRepository
    }

    /// All checks.
    public static let checks: [Check] = filterChecks + conditionChecks + orderChecks + textChecks + recordChecks

    /// Runs a check against a new repository.
    ///
    /// - Throws: ``ContractViolation`` where the promise is broken, or what the repository threw.
    public func run(_ check: Check) async throws {
        try await check.body(makeRepository)
    }
}
