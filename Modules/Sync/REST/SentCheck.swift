import Foundation
import TrendyDomain

// Compares what a server answers with what was sent to it.
//
// Deployed servers accept changes and leave a part of them out: a null clears nothing, a 0 counts as absent, a route
// ignores a field. Such a change must not count as accepted. A server that writes the same value in another form
// refuses nothing.

extension RESTKind {
    /// The names of the fields that the server did not take, sorted. The former version is the one that was changed;
    /// nil for a new record.
    func fieldsNotTaken(
        _ sent: [String: JSONValue], _ answer: RecordDocument, over former: RecordDocument? = nil
    ) -> [String] {
        // Both versions go through the kind's own coding, so that defaults and forms of times agree.
        let wanted = canonical((former ?? answer).merging(sent) { $1 }) ?? sent
        return sent.keys.filter { field in
            guard !RecordShape.unchangeable.contains(field) else { return false }
            let (ours, theirs) = (wanted[field] ?? .null, answer[field] ?? .null)
            if ours == theirs || Self.isSameTime(ours, theirs) || Self.isSameNumber(ours, theirs) { return false }
            if let former, (former[field] ?? .null) == theirs { return true }
            return !Self.isSameText(ours, theirs)
        }.sorted()
    }

    /// Servers may keep times to the second, or round them.
    private static func isSameTime(_ left: JSONValue, _ right: JSONValue) -> Bool {
        guard let left = left.stringValue.flatMap(Timestamp.init), let right = right.stringValue.flatMap(Timestamp.init)
        else { return false }
        return abs(left.milliseconds - right.milliseconds) < 1_000 && right.milliseconds % 1_000 == 0
    }

    /// Servers may keep numbers to so many digits.
    private static func isSameNumber(_ left: JSONValue, _ right: JSONValue) -> Bool {
        guard let left = left.doubleValue, let right = right.doubleValue else { return false }
        return abs(left - right) <= 1e-6 * max(1, abs(left))
    }

    /// Servers may trim texts, write empty ones as null, and change the case of words that stand for something.
    private static func isSameText(_ left: JSONValue, _ right: JSONValue) -> Bool {
        func text(_ value: JSONValue) -> String? {
            value == .null ? "" : value.stringValue?.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        }
        guard let left = text(left), let right = text(right) else { return false }
        return left == right
    }
}
