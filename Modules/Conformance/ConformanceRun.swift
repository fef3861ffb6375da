import TrendyDomain

/// Holds a server to the rules of the protocol, over whatever brings requests to it.
///
/// ```swift
/// let target = ConformanceTarget(send: myTransport, wait: { try await Task.sleep(for: $0) })
/// let report = try await ConformanceRun(target).check(ConformanceRule.all)
/// ```
public struct ConformanceRun: Sendable {
    private let target: ConformanceTarget
    private let tell: @Sendable (ConformanceNews) -> Void

    /// Makes a run against a server.
    ///
    /// - Parameter tell: Told what happens while the run goes on.
    public init(_ target: ConformanceTarget, tell: @escaping @Sendable (ConformanceNews) -> Void = { _ in }) {
        self.target = target
        self.tell = tell
    }

    /// Checks the rules one after the other, and deletes what was made for it, also where it is cancelled.
    ///
    /// - Throws: ``ConformanceError`` where it cannot begin; nothing is thrown for what the server does wrong, nor for
    ///   a cancellation, after which the report has the rules that were checked until then.
    public func check(_ rules: [ConformanceRule]) async throws -> ConformanceReport {
        let scene = Scene(target, tell: tell)
        var report = ConformanceReport(marker: scene.marker, results: [])
        guard let probe = try await open(scene) else {
            report.wasInterrupted = true
            report.accountsMade = scene.accountsMade
            return report
        }
        for rule in rules {
            guard !Task.isCancelled, let result = await check(rule, probe) else {
                report.wasInterrupted = true
                break
            }
            report.results.append(result)
            tell(.checked(result))
            await cleanUpAfterRule(probe)
            report.lostServer = await lostServer(scene, after: result)
            if report.lostServer != nil { break }
        }
        tell(.cleaningUp)
        report.leftBehind = await cleanUp(probe)
        report.accountsMade = scene.accountsMade
        return report
    }

    /// Opens the accounts; nil where the run was told to stop meanwhile.
    private func open(_ scene: Scene) async throws -> Probe? {
        do {
            let health = try await scene.send(.get, "/health")
            do {
                return try await openAccounts(scene)
            } catch let error as ConformanceError where !health.isSuccess && error.isRefusal {
                // Neither its health nor its sign-in is the protocol's: it is the server that is wrong, not the account.
                throw ConformanceError.notAServer("\(health.name) is answered \(health.status), and \(error)")
            }
        } catch is CancellationError {
            return nil
        } catch let error as NoAnswer {
            throw ConformanceError.unreachable(error.reason)
        } catch let error as RuleBroken {
            throw ConformanceError.noAccount(error.reason)
        }
    }

    private func openAccounts(_ scene: Scene) async throws -> Probe {
        let ann = try await scene.openAccount()
        let other = try await scene.openOtherAccount()
        if let other, ann.isSame(as: other) {
            for account in [ann, other] { await account.signOut() }
            throw ConformanceError.sameAccount(email: ann.login.email, otherEmail: other.login.email)
        }
        return Probe(scene: scene, ann: ann, other: OtherAccount(other))
    }

    /// Checks a rule; nil where the run was told to stop meanwhile.
    private func check(_ rule: ConformanceRule, _ probe: Probe) async -> ConformanceResult? {
        _ = probe.scene.notes.take()
        _ = probe.scene.trace.take()
        var failure: (verdict: ConformanceVerdict, reason: String, answers: [Answer])?
        do {
            try await rule.check(probe)
        } catch is CancellationError {
            return nil
        } catch let broken as RuleBroken {
            failure = (.fail, broken.reason, broken.answers)
        } catch let skipped as RuleNotChecked {
            failure = (.notChecked, skipped.reason, [])
        } catch let error as NoAnswer {
            failure = (
                .fail, "\(error.request.method.rawValue) \(error.request.path) has no answer: \(error.reason)", []
            )
        } catch {
            failure = (.fail, "\(error)", [])
        }
        let notes = probe.scene.notes.take()
        let shown = ((failure?.answers ?? []) + notes.flatMap(\.answers)).map(ConformanceExchange.init)
        let passes = failure == nil && notes.isEmpty
        if passes, rule.isRace {
            failure = (.notSeen, "nothing went wrong this time, which may be chance: run it again and again", [])
        }
        return ConformanceResult(
            rule: rule.name, group: rule.group, demand: rule.demand, section: rule.section,
            verdict: failure?.verdict ?? (notes.isEmpty ? .pass : .deviation), reason: failure?.reason,
            deviations: notes.map { ConformanceResult.Deviation(name: $0.deviation, reason: $0.reason) },
            exchanges: passes ? probe.scene.trace.take() : shown)
    }

    /// Why the server cannot be reached any more; nil where the rule passed or the server answers.
    private func lostServer(_ scene: Scene, after result: ConformanceResult) async -> String? {
        guard result.verdict == .fail else { return nil }
        do {
            _ = try await scene.send(.get, "/health")
        } catch let error as NoAnswer {
            return error.reason
        } catch {}
        return nil
    }

    // In tasks of their own, which go on where the run is cancelled.

    private func cleanUpAfterRule(_ probe: Probe) async {
        await Task { for account in probe.accounts { await CleanUp(account: account).afterRule() } }
            .value
    }

    private func cleanUp(_ probe: Probe) async -> [String] {
        await Task {
            var left: [String] = []
            for account in probe.accounts {
                left += await CleanUp(account: account).finally()
                await account.signOut()
            }
            return left
        }.value
    }
}
