import Foundation
import TrendyDomain

/// What became of a mutation, ready to be written as JSON.
struct MutationResult {
    var key: String
    var outcome: SyncOutcome
    var revision: Int64
    var isReplayed = false
    /// The record that is shown whole.
    var record: StoredRecord?
    /// The record of which only what the server adds is shown.
    var server: StoredRecord?
    /// Why it was rejected, or what it waits for.
    var problem: ServerProblem?

    init(
        key: String, outcome: SyncOutcome, revision: Int64 = 0, isReplayed: Bool = false, server: StoredRecord? = nil,
        problem: ServerProblem? = nil
    ) {
        self.key = key
        self.outcome = outcome
        self.revision = revision
        self.isReplayed = isReplayed
        self.server = server
        self.problem = problem
    }

    init(key: String, outcome: SyncOutcome, showing record: StoredRecord) {
        self.init(key: key, outcome: outcome, revision: record.revision)
        self.record = record
    }

    init(key: String, blockedBy errors: [FieldError]) {
        let words = errors.map { "\($0.field) \($0.message)" }.joined(separator: "; ")
        self.init(key: key, outcome: .blocked, problem: ServerProblem(.validation, words, errors: errors))
    }

    func appendJSON(to result: inout Data) throws {
        result.append("{\"key\":\(JSONText.quoted(key)),\"outcome\":\"\(outcome.rawValue)\",\"revision\":\(revision)")
        if isReplayed { result.append(",\"replayed\":true") }
        if let record {
            result.append(",\"created_revision\":\(record.createdRevision),\"record\":")
            result.append(record.document)
        }
        if let server {
            result.append(",\"server\":")
            result.append(
                try WireCoding.encode(
                    ServerFields(userId: server.userId, createdAt: server.createdAt, updatedAt: server.updatedAt)))
        }
        if let problem {
            result.append(",\"message\":\(JSONText.quoted(problem.detail))")
            if !problem.errors.isEmpty {
                result.append(",\"errors\":")
                result.append(try WireCoding.encode(problem.errors))
            }
        }
        result.append("}")
    }
}

extension RevisedRecord {
    func appendJSON(to result: inout Data) {
        result.append("{\"entity_id\":\(JSONText.quoted(key.id))")
        result.append(",\"entity_type\":\(JSONText.quoted(key.entityType.rawValue)),\"revision\":\(revision)")
        if let document {
            result.append(",\"created_revision\":\(createdRevision),\"record\":")
            result.append(document)
        } else {
            result.append(",\"deleted\":true")
        }
        result.append("}")
    }
}

extension Data {
    /// Adds a text as UTF-8.
    mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}
