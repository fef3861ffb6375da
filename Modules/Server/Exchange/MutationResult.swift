import Foundation
import TrendyDomain

/// What became of a mutation, ready to be written as JSON.
struct MutationResult {
    var key: String
    var outcome: SyncOutcome
    var revision: Int64 = 0
    var isReplayed = false
    /// The record that is shown whole.
    var record: StoredRecord?
    /// The record of which only what the server adds is shown.
    var server: StoredRecord?
    /// Why it was rejected, or what it waits for.
    var problem: ServerProblem?
}

extension MutationResult {
    init(key: String, outcome: SyncOutcome, showing record: StoredRecord) {
        self.init(key: key, outcome: outcome, revision: record.revision, record: record)
    }

    init(key: String, blockedBy errors: [FieldError]) {
        let words = errors.map { "\($0.field) \($0.message)" }.joined(separator: "; ")
        self.init(key: key, outcome: .blocked, problem: ServerProblem(.validation, words, errors: errors))
    }

    func append(to json: inout Data, _ wire: WireDocument) throws {
        json.append("{\"key\":\(JSONText.quoted(key)),\"outcome\":\"\(outcome.rawValue)\",\"revision\":\(revision)")
        if isReplayed { json.append(",\"replayed\":true") }
        if let record {
            json.append(",\"created_revision\":\(record.createdRevision),\"record\":")
            wire.append(record, to: &json)
        }
        if let server {
            json.append(",\"server\":")
            wire.appendServer(of: server, to: &json)
        }
        if let problem {
            json.append(",\"message\":\(JSONText.quoted(problem.detail))")
            if !problem.errors.isEmpty {
                json.append(",\"errors\":")
                json.append(try WireCoding.encode(problem.errors))
            }
        }
        json.append("}")
    }
}

extension StoredRecord {
    /// Adds the change that a device is told.
    func appendChange(to json: inout Data, _ wire: WireDocument) {
        json.append("{\"entity_id\":\(JSONText.quoted(key.id))")
        json.append(",\"entity_type\":\(JSONText.quoted(key.entityType.rawValue)),\"revision\":\(revision)")
        if document == nil {
            json.append(",\"deleted\":true}")
        } else {
            json.append(",\"created_revision\":\(createdRevision),\"record\":")
            wire.append(self, to: &json)
            json.append("}")
        }
    }
}
