import Foundation
import TrendyDomain

/// Ends a rule that a server breaks.
struct RuleBroken: Error {
    /// What was found, and what the rule demands.
    var reason: String
    /// The requests and answers that show it.
    var answers: [Answer]

    init(_ reason: String, _ answers: Answer...) {
        self.reason = reason
        self.answers = answers
    }
}

/// Ends a rule that cannot be checked on this server or in this run.
struct RuleNotChecked: Error {
    var reason: String
}

extension Answer {
    /// Demands one of these statuses, and of a success that its body is JSON: nothing else can be said of it then.
    @discardableResult
    func demand(_ statuses: Int..., because reason: String = "") throws -> Answer {
        guard statuses.contains(status) else {
            let wanted = statuses.map(String.init).joined(separator: " or ")
            throw RuleBroken("\(name) is answered \(status), not \(wanted)\(reason.isEmpty ? "" : ": \(reason)")", self)
        }
        if isSuccess && status != 204 {
            try demandJSON()
            try demandJSONType()
        }
        return self
    }

    /// Demands that the answer says that it is JSON: a client refuses what says nothing or something else.
    private func demandJSONType() throws {
        let type = header("Content-Type") ?? ""
        let media = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        let isJSON = media == "text/json" || media == "application/json"
        if isJSON || (media.hasPrefix("application/") && media.hasSuffix("+json")) { return }
        let found = type.isEmpty ? "has no content type" : "comes as \(type)"
        throw RuleBroken("the answer to \(name) \(found), not as application/json", self)
    }

    /// Demands that a record that stands elsewhere is the same as in this answer to its GET, server fields included.
    ///
    /// An answer may hold an event's type or leave it out.
    ///
    /// - Parameter other: Where the record was found.
    func demandSame(_ record: JSONValue, in other: Answer, _ what: String) throws {
        let fields = Set((json.objectValue ?? [:]).keys).union((record.objectValue ?? [:]).keys)
        let different = fields.filter { $0 != "event_type" && !json[$0].isSame(as: record[$0]) }.sorted()
        if different.isEmpty { return }
        throw RuleBroken("\(what) is not as GET has it: \(different.joined(separator: ", "))", other, self)
    }

    /// Whether a refusal has the reason alone, as deployed servers and the routers beneath them give it: in a JSON member
    /// `error`, as plain text, or not at all.
    var isPlainError: Bool {
        if json["error"].stringValue != nil || json["error"].objectValue != nil || raw.body.isEmpty { return true }
        let media = (header("Content-Type") ?? "text/plain").prefix { $0 != ";" }.filter { !$0.isWhitespace }
        return !isJSON && media.lowercased() == "text/plain"
    }

    /// Demands that the body is JSON.
    func demandJSON() throws {
        if !isJSON {
            throw RuleBroken("the body of the answer to \(name) is \(raw.body.isEmpty ? "empty" : "no JSON")", self)
        }
    }

    /// Demands that something is so.
    @discardableResult
    func demand(_ condition: Bool, _ otherwise: @autoclosure () -> String) throws -> Answer {
        if !condition { throw RuleBroken(otherwise(), self) }
        return self
    }

    /// Demands that a member has a value; null and absent are the same in an answer.
    func demand(_ member: String, is expected: JSONValue) throws {
        try demandJSON()
        guard json[member].isSame(as: expected) else {
            throw RuleBroken("\(member) is \(json[member].text), not \(expected.text)", self)
        }
    }

    /// The whole number in a member.
    func integer(_ member: String) throws -> Int64 {
        try demandJSON()
        guard let value = json[member].integerValue else { throw RuleBroken("\(member) is no whole number", self) }
        return value
    }

    /// The text in a member.
    func string(_ member: String) throws -> String {
        try demandJSON()
        guard let value = json[member].stringValue else { throw RuleBroken("\(member) is no string", self) }
        return value
    }

    /// Demands that the body is an array.
    @discardableResult
    func list() throws -> [JSONValue] {
        try demandJSON()
        guard case .array(let elements) = json else { throw RuleBroken("the body of \(name) is no array", self) }
        return elements
    }

    /// The method and the path, for sentences.
    var name: String { "\(request.method.rawValue) \(request.path)" }
}

extension JSONValue {
    /// Whether two values mean the same: numbers by value, times by the moment, the rest as it stands.
    func isSame(as other: JSONValue) -> Bool {
        if self == other { return true }
        if let number = doubleValue, let expected = other.doubleValue { return abs(number - expected) < 1e-9 }
        if let text = stringValue, let expected = other.stringValue {
            if let moment = Timestamp(text), let wanted = Timestamp(expected) { return moment == wanted }
            return false
        }
        if case .array(let mine) = self, case .array(let theirs) = other {
            return mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.isSame(as: $1) }
        }
        guard let mine = objectValue, let theirs = other.objectValue else { return false }
        return Set(mine.keys).union(theirs.keys).allSatisfy { self[$0].isSame(as: other[$0]) }
    }

    /// The value as JSON, for sentences.
    var text: String { (try? WireCoding.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "nothing" }
}
