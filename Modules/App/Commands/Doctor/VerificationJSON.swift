import TrendyDomain
import TrendySync

/// A comparison as JSON: every key is always there.
struct VerificationJSON: Encodable {
    let report: StoreAuditReport

    private enum CodingKeys: String, CodingKey {
        case repair, kinds, differences, failure, error
        case isClean = "clean"
        case needsSync = "needs_sync"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(report.isRepair, forKey: .repair)
        try container.encode(report.isClean, forKey: .isClean)
        try container.encode(report.needsSync, forKey: .needsSync)
        try container.encode(report.kinds.map(Kind.init), forKey: .kinds)
        try container.encode(report.differences.map(Difference.init), forKey: .differences)
        try container.encode(report.sync.failure, forKey: .failure)
        try container.encode(report.sync.error, forKey: .error)
    }

    private struct Kind: Encodable {
        let kind: StoreAuditReport.Kind

        private enum CodingKeys: String, CodingKey {
            case here, there, waiting, unusable, unsettled, equal
            case entityType = "entity_type"
            case digestHere = "digest_here"
            case digestThere = "digest_there"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind.entityType, forKey: .entityType)
            try container.encode(kind.here, forKey: .here)
            try container.encode(kind.there, forKey: .there)
            try container.encode(kind.waiting, forKey: .waiting)
            try container.encode(kind.unusable, forKey: .unusable)
            try container.encode(kind.unsettled, forKey: .unsettled)
            try container.encode(kind.isEqual, forKey: .equal)
            try container.encode(kind.digestHere.description, forKey: .digestHere)
            try container.encode(kind.digestThere.description, forKey: .digestThere)
        }
    }

    private struct Difference: Encodable {
        let difference: RecordDifference

        private enum CodingKeys: String, CodingKey {
            case id, kind, fields, outcome, reason
            case entityType = "entity_type"
        }

        private enum FieldKeys: String, CodingKey {
            case field, here, there
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(difference.entityType, forKey: .entityType)
            try container.encode(difference.entityId, forKey: .id)
            try container.encode(kind, forKey: .kind)
            try container.encode(outcome, forKey: .outcome)
            try container.encode(reason, forKey: .reason)
            var fields = container.nestedUnkeyedContainer(forKey: .fields)
            guard case .fields(let differing) = difference.kind else { return }
            for field in differing {
                var element = fields.nestedContainer(keyedBy: FieldKeys.self)
                try element.encode(field.field, forKey: .field)
                try element.encode(field.here, forKey: .here)
                try element.encode(field.there, forKey: .there)
            }
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
            case .removed: "removed"
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
