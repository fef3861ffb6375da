import TrendyDomain
import TrendyNotation
import TrendyTerminal

extension StatusReport {
    /// What is wrong, and what waits for the person.
    var problems: [StatusProblem] {
        var found: [StatusProblem] = []
        if let signInTrouble {
            found.append(StatusProblem(kind: .signIn, message: signInTrouble, command: nil))
        } else if !isSignedIn, let server, pending > 0 {
            found.append(
                StatusProblem(
                    kind: .signedOut, message: "nobody is signed in, so nothing is sent",
                    command: "trendy login --server \(server)"))
        }
        if let problem { found.append(StatusProblem(kind: .sync, message: problem, command: command(in: problem))) }
        if parked > 0 {
            found.append(
                StatusProblem(kind: .refused, message: counted(parked, "change"), command: "trendy queue list"))
        }
        if conflicts > 0 {
            found.append(
                StatusProblem(kind: .conflicts, message: "\(conflicts)", command: "trendy conflicts list"))
        }
        if quarantined > 0 {
            found.append(
                StatusProblem(
                    kind: .quarantine,
                    message: "\(counted(quarantined, "change")) that this version cannot use; update Trendy, then sync",
                    command: "trendy quarantine list"))
        }
        return found
    }

    /// The command that a message names first: `'trendy …'`.
    private func command(in message: String) -> String? {
        guard let start = message.firstRange(of: "'trendy ") else { return nil }
        let rest = message[message.index(after: start.lowerBound)...]
        return rest.firstIndex(of: "'").map { String(rest[..<$0]) }
    }

    /// The same for people, broken at blanks where it has to fit a screen.
    func lines(zone: LocalZone, now: Timestamp, on screen: Screen) -> [String] {
        let records = EntitySchema.trendy.types.map { type in
            counted(counts[type.entityType.rawValue, default: 0], type.entityType.displayName)
        }
        var facts: [(String, String)] = running.map { ("running", $0.text(zone: zone, now: now)) }
        facts += [
            ("account", account), ("records", records.joined(separator: ", ")),
            ("waiting", counted(pending, "change") + doubt + howItGoes),
            (
                "last sync",
                lastSync.map { "\(zone.minuteText($0)) (\(RelativeTime.text($0, now: now)))" } ?? "never"
            ),
        ]
        facts += problems.map { problem in
            let names = problem.command.map { problem.message.contains("'\($0)'") ? "" : "; see '\($0)'" } ?? ""
            return (problem.label, problem.message + names)
        }
        facts += pause(zone: zone)
        var lines = facts.flatMap { fact in Self.lines(fact.0, fact.1, on: screen) }
        // A path in pieces could not be copied.
        lines.append(Self.start("store") + store)
        return lines
    }

    /// How far the values stand from the left.
    private static let indent = 11

    private static func start(_ label: String) -> String { label.padded(toColumns: indent) }

    private static func lines(_ label: String, _ text: String, on screen: Screen) -> [String] {
        let whole = start(label) + text
        guard let limit = screen.limit, whole.columns > limit else { return [whole] }
        let pieces = TextWrap.lines(text, columns: limit - indent)
        return pieces.enumerated().map { start($0 == 0 ? label : "") + $1 }
    }

    private var account: String {
        if signInTrouble != nil { return "not known, as the sign-in cannot be read" }
        let place = server ?? "no server; 'trendy login --server URL' signs in"
        return isSignedIn ? "\(email ?? "signed in") at \(place)" : server.map { "signed out of \($0)" } ?? place
    }

    /// Which of those that wait may have got through.
    private var doubt: String {
        // What never had a server to go to is on none.
        if unsure == 0 || server == nil { return "" }
        let share = unsure < pending ? ", \(unsure) of which" : ", which"
        return "\(share) may be on the server already"
    }

    /// What becomes of that which waits.
    private var howItGoes: String {
        guard pending > 0, isSignedIn, retryAfter == nil, nextAttempt == nil else { return "" }
        guard autosync else { return "; 'trendy sync' sends" }
        return "; sent \(isScheduled ? "in the background" : "with the next change"), 'trendy sync' sends at once"
    }

    private func pause(zone: LocalZone) -> [(String, String)] {
        if let retryAfter {
            let pause = DurationText.text(retryAfter.rounded(.up))
            let command = isSignedIn ? "sync" : "login"
            return [("pause", "the server asked to wait \(pause); 'trendy \(command) --now' does not wait")]
        }
        guard let nextAttempt, isSignedIn else { return [] }
        let moment = zone.minuteText(nextAttempt)
        let who = autosync && !isScheduled ? "with the next change after \(moment)" : moment
        let reason = isUnreached ? "the server could not be reached" : "the server failed"
        return [("next try", "\(who), as \(reason); 'trendy sync' tries at once")]
    }
}
