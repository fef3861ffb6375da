import Synchronization

/// What rules saw of known deviations; it is emptied before each rule.
final class RuleNotes: Sendable {
    struct Note: Sendable {
        var deviation: KnownDeviation
        var reason: String
        var answers: [Answer]
    }

    private let notes = Mutex<[Note]>([])

    /// Notes a deviation, once a rule.
    func add(_ deviation: KnownDeviation, _ reason: String, _ answers: [Answer]) {
        notes.withLock { notes in
            guard !notes.contains(where: { $0.deviation == deviation }) else { return }
            notes.append(Note(deviation: deviation, reason: reason, answers: answers))
        }
    }

    func take() -> [Note] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }
}

/// What was asked and answered while a rule was checked; it is emptied before each rule.
final class RuleTrace: Sendable {
    /// Requests of one rule that are kept: the first ones.
    private static let longest = 100

    private let exchanges = Mutex<[ConformanceExchange]>([])

    func add(_ answer: Answer) {
        exchanges.withLock { exchanges in
            if exchanges.count < Self.longest { exchanges.append(ConformanceExchange(answer)) }
        }
    }

    func take() -> [ConformanceExchange] {
        exchanges.withLock { exchanges in
            defer { exchanges = [] }
            return exchanges
        }
    }
}
