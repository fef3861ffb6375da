public import TrendyConformance

/// The rules that every server of the protocol must keep: those of `trendy conformance`, for tests.
///
/// They speak Trendy's own routes, kinds and JSON. Test a server with others through the engine, with its routes, as
/// `Docs/Examples/OwnBackend` does.
///
/// It needs no test library; with Swift Testing, run it like this:
///
/// ```swift
/// let contract = ServerContract { ConformanceTarget(send: mySend, wait: { clock.advance(by: $0) }) }
///
/// @Test(arguments: ServerContract.rules)
/// func keepsTheContract(_ rule: ConformanceRule) async throws { try await contract.run(rule) }
/// ```
public struct ServerContract: Sendable {
    private let allowed: Set<KnownDeviation>
    private let allowsUnchecked: Bool
    private let makeTarget: @Sendable () async throws -> ConformanceTarget

    /// Makes the suite for a server.
    ///
    /// - Parameters:
    ///   - allowed: The known deviations that the server may have.
    ///   - allowsUnchecked: Whether a rule may stay unchecked, as those about two users do where the target has one
    ///     account and may not sign up for another.
    ///   - makeTarget: The server that a rule is checked against; a new one or always the same.
    public init(
        allowing allowed: Set<KnownDeviation> = [], allowingUnchecked allowsUnchecked: Bool = false,
        makeTarget: @escaping @Sendable () async throws -> ConformanceTarget
    ) {
        self.allowed = allowed
        self.allowsUnchecked = allowsUnchecked
        self.makeTarget = makeTarget
    }

    /// All rules, also those that send much; give a `wait` that does not wait.
    public static let rules = ConformanceRule.all

    /// Checks a rule, and deletes what was made for it.
    ///
    /// - Throws: ``ContractViolation`` where the server breaks the rule, differs in a way that is not allowed, or
    ///   leaves something behind, and where the rule was not checked; `ConformanceError` where there is no way in.
    public func run(_ rule: ConformanceRule) async throws {
        let report = try await ConformanceRun(makeTarget()).check([rule])
        guard report.results.count == 1 else {
            throw ContractViolation(description: "\(rule.name) was not checked: the run ended before it")
        }
        for result in report.results {
            if result.verdict == .notChecked, !allowsUnchecked {
                throw ContractViolation(description: "\(rule.name) was not checked: \(result.reason ?? "no reason")")
            }
            let foreign = result.deviations.filter { !allowed.contains($0.name) }
            let reasons = (result.reason.map { [$0] } ?? []) + foreign.map { "\($0.name.rawValue): \($0.reason)" }
            guard result.verdict == .fail || !foreign.isEmpty else { continue }
            throw ContractViolation(description: "\(rule.demand) But \(reasons.joined(separator: "; "))")
        }
        guard report.leftBehind.isEmpty else {
            throw ContractViolation(description: "\(rule.name) left behind \(report.leftBehind)")
        }
    }
}
