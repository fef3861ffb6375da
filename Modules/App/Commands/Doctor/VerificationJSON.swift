import TrendyDomain
import TrendySync

/// A comparison as JSON: every key is always there.
struct VerificationJSON: Encodable {
    let report: StoreAuditReport

    func encode(to encoder: any Encoder) throws {
        try JSONFields([
            "repair": report.isRepair, "clean": report.isClean, "needs_sync": report.needsSync,
            "kinds": report.kinds.map(Kind.init), "differences": report.differences.map(Difference.init),
            "failure": report.sync.failure, "error": report.sync.error,
        ]).encode(to: encoder)
    }

    private struct Kind: Encodable {
        let kind: StoreAuditReport.Kind

        func encode(to encoder: any Encoder) throws {
            try JSONFields([
                "entity_type": kind.entityType, "here": kind.here, "there": kind.there, "waiting": kind.waiting,
                "unusable": kind.unusable, "equal": kind.isEqual,
                "digest_here": kind.digestHere.description, "digest_there": kind.digestThere.description,
            ]).encode(to: encoder)
        }
    }

    private struct Difference: Encodable {
        let difference: RecordDifference

        func encode(to encoder: any Encoder) throws {
            try JSONFields([
                "entity_type": difference.entityType, "id": difference.entityId, "kind": kind, "outcome": outcome,
                "reason": reason, "fields": fields,
            ]).encode(to: encoder)
        }

        /// What differs; nothing where one side has no record to compare.
        private var fields: [JSONFields] {
            guard case .fields(let differing) = difference.kind else { return [] }
            return differing.map { JSONFields(["field": $0.field, "here": $0.here, "there": $0.there]) }
        }

        private var kind: String {
            switch difference.kind {
            case .onlyHere: "only_here"
            case .onlyThere: "only_there"
            case .fields: "fields"
            case .unreadable: "unreadable"
            }
        }

        private var outcome: String {
            switch difference.outcome {
            case .found: "found"
            case .broughtIn: "brought_in"
            case .queued: "queued"
            case .left: "left"
            }
        }

        /// Why a row cannot be read, or a difference was left.
        private var reason: String? {
            if case .left(let reason) = difference.outcome { return reason }
            if case .unreadable(let reason) = difference.kind { return reason }
            return nil
        }
    }
}
