import TrendyData
import TrendyDomain
import TrendyNotation

extension ReversalSummary {
    /// The changes in one line: "the creation of coffee, 2026-11-20 09:15 (3f9a1c2e)".
    @MainActor
    func text(_ direction: UndoJournal.Direction, in context: CommandContext) throws -> String {
        var parts: [String] = []
        var rest = steps
        for timer in steps where timer.entityType == .timer {
            guard record(of: timer) != nil else { continue }
            // Only stopping a timer creates an event.
            let event = steps.first { $0.entityType == .event }
            parts.append(try timerText(timer, event, direction, in: context))
            rest.removeAll { $0.id == timer.id || $0.id == event?.id }
        }
        for operation in [MutationOperation.create, .update, .delete] {
            let own = rest.filter { $0.operation == operation }
            if own.isEmpty { continue }
            let names = try own.count == 1 ? name(own[0], in: context) : Self.counts(own)
            parts.append("\(Self.noun(Self.original(operation, direction))) of \(names)")
        }
        let text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        return ([text] + settledTexts(FieldText(times: context.times)) + (try skippedTexts(in: context))).joined(
            separator: "; ")
    }

    /// The operation as the person did it: redoing a creation is recorded as a deletion that is undone.
    private static func original(
        _ operation: MutationOperation, _ direction: UndoJournal.Direction
    ) -> MutationOperation {
        switch (operation, direction) {
        case (.create, .redo): .delete
        case (.delete, .redo): .create
        default: operation
        }
    }

    private static func noun(_ operation: MutationOperation) -> String {
        switch operation {
        case .create: "the creation"
        case .update: "the change"
        case .delete: "the deletion"
        }
    }

    static func counts(_ steps: [UndoStep]) -> String {
        Dictionary(grouping: steps, by: \.entityType).mapValues(\.count)
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map { $0 == .alias ? counted($1, "alias", "aliases") : counted($1, $0.displayName) }
            .joined(separator: " and ")
    }

    /// "the stop of run, 2026-11-20 09:15 to 10:00 (3f9a1c2e); its timer runs again".
    @MainActor
    private func timerText(
        _ timer: UndoStep, _ event: UndoStep?, _ direction: UndoJournal.Direction, in context: CommandContext
    ) throws -> String {
        let name = try name(event ?? timer, in: context)
        if Self.original(timer.operation, direction) == .create { return "the start of \(name)" }
        let verb = event == nil ? "the discard of the timer of" : "the stop of"
        return "\(verb) \(name)" + (direction == .undo ? "; its timer runs again" : "")
    }

    /// The record as its commands name it.
    @MainActor
    private func name(_ step: UndoStep, in context: CommandContext) throws -> String {
        guard let record = record(of: step) else { return Self.counts([step]) }
        return try name(step, record, in: context)
    }

    @MainActor
    func name(_ step: UndoStep, _ record: [String: JSONValue], in context: CommandContext) throws -> String {
        let id = ShortId.of(step.id)
        if [.event, .timer].contains(step.entityType), let event = try? WireCoding.value(Event.self, from: record) {
            let type = try typeName(event, in: context)
            return "\(type), \(context.process.zone.spanText(event)) (\(id))"
        }
        if step.entityType == .alias {
            let type = try step.aliasedType.flatMap { try context.reader.find(EventType.self, id: $0)?.entity.name }
            return "the alias \(step.id)\(type.map { " of \($0)" } ?? "")"
        }
        let name = record["name"]?.stringValue ?? record["key"]?.stringValue
        return "the \(step.entityType.displayName)\(name.map { " \($0)" } ?? "") (\(id))"
    }

    /// The name of an event's type. If the same undo deleted the type, its name comes from the undone step.
    @MainActor
    private func typeName(_ event: Event, in context: CommandContext) throws -> String {
        let unmade = steps.first {
            $0.operation == .create && $0.entityType == .eventType && $0.id == event.eventTypeId
        }
        if let unmade, let name = record(of: unmade)?["name"]?.stringValue { return name }
        return try EventLines(context: context).typeName(event)
    }
}

extension ReversalSummary: Encodable {
    /// Writes the records that were changed back, and those that were skipped.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(steps.map(Item.init), forKey: .reversed)
        try container.encode(skipped.map(Item.init), forKey: .skipped)
    }

    private enum CodingKeys: String, CodingKey {
        case reversed, skipped
    }

    /// A record, with the operation that was undone.
    private struct Item: Encodable {
        let operation: MutationOperation
        let entityType: EntityType
        let id: String

        init(_ step: UndoStep) {
            operation = step.operation
            entityType = step.entityType
            id = step.id
        }

        enum CodingKeys: String, CodingKey {
            case operation, id
            case entityType = "entity_type"
        }
    }
}

extension ReversalSummary {
    /// The restored values that the edit had overruled: "notes is 'a', as on the other device".
    func settledTexts(_ values: FieldText) -> [String] {
        settled.map { conflict in
            let value = values.value(conflict.remoteValue, at: conflict.place)
            return "\(FieldText.name(conflict.place)) is '\(value)', as on the other device"
        }
    }

    /// If more records were skipped, the text only counts them.
    private static let namedRecords = 3

    /// The records that were not changed back, with the reasons.
    @MainActor
    func skippedTexts(in context: CommandContext) throws -> [String] {
        let reasons = "kept: changed since then, or deleted"
        guard skipped.count <= Self.namedRecords else { return ["\(Self.counts(skipped)) \(reasons)"] }
        let ids = try context.reader.presentIds()
        return try skipped.map { step in
            // Only the creation of a record that another device had made too is not followed to its present id.
            let id = ids.present(step.id, of: step.entityType)
            let present = try context.reader.fields(of: step.entityType, id: id)
            let isRecord = EntitySchema.trendy.type(for: step.entityType) != nil
            // The step of a deletion has the whole record; that of an edit has only the changed fields.
            let kept = step.operation == .delete ? step.before : nil
            let name = try name(step, present ?? kept ?? [:], in: context)
            if !isRecord { return "\(name) \(reasons)" }
            if let parent = lostParents[step]?.displayName {
                let former = step.operation == .update ? "kept: its former" : "cannot be restored: its"
                return "\(name) \(former) \(parent) was deleted"
            }
            if present == nil { return "\(name) was deleted" }
            if id != step.id { return "\(name) kept: another device had made it too" }
            return step.operation == .delete ? "\(name) exists already" : "\(name) kept: changed since then"
        }
    }
}
