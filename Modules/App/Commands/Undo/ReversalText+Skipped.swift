import TrendyData
import TrendyDomain

extension ReversalSummary {
    /// Which values have come back that had lost against the edit: "notes is 'a', as it was elsewhere".
    func settledTexts(_ values: FieldText) -> [String] {
        settled.map { conflict in
            let value = values.value(conflict.remoteValue, at: conflict.place)
            return "\(FieldText.name(conflict.place)) is '\(value)', as it was elsewhere"
        }
    }

    /// More records are counted, and not named.
    private static let namedRecords = 3

    /// What could not be taken back, and why.
    @MainActor
    func skippedTexts(in context: CommandContext) throws -> [String] {
        let reasons = "stayed, changed since or gone"
        guard skipped.count <= Self.namedRecords else { return ["\(Self.counts(skipped)) \(reasons)"] }
        return try skipped.map { step in
            let present = try context.reader.fields(of: step.entityType, id: step.id)
            let isRecord = EntitySchema.trendy.type(for: step.entityType) != nil
            // A deletion has kept the whole record, an edit some fields of it.
            let kept = step.operation == .delete ? step.before : nil
            let name = try name(step, present ?? kept ?? [:], in: context)
            if !isRecord { return "\(name) \(reasons)" }
            if present == nil { return "\(name) is gone" }
            return step.operation == .delete ? "\(name) is here already" : "\(name) stayed, changed since"
        }
    }
}
