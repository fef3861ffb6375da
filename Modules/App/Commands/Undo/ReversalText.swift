import TrendyDomain

extension ReversalSummary {
    /// What was done, in a line: "the making of coffee, 2026-11-20 09:15 (3f9a1c2e)".
    ///
    /// - Parameter direction: Taking back the undoing of a creation is to create again.
    @MainActor
    func text(_ direction: UndoJournal.Direction, in context: CommandContext) throws -> String {
        var parts: [String] = []
        for operation in [MutationOperation.create, .update, .delete] {
            let own = steps.filter { $0.operation == operation }
            if own.isEmpty { continue }
            let names = try own.count == 1 && steps.count == 1 ? name(own[0], in: context) : Self.counts(own)
            parts.append("\(Self.noun(operation, direction)) of \(names)")
        }
        let text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        if skipped.isEmpty { return text }
        return "\(text); \(Self.counts(skipped)) stayed, changed since or gone"
    }

    private static func noun(_ operation: MutationOperation, _ direction: UndoJournal.Direction) -> String {
        switch operation {
        case .create: direction == .undo ? "the making" : "the deletion"
        case .update: "the change"
        case .delete: direction == .undo ? "the deletion" : "the making"
        }
    }

    private static func counts(_ steps: [UndoStep]) -> String {
        Dictionary(grouping: steps, by: \.entityType).mapValues(\.count)
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map { counted($1, $0.displayName) }.joined(separator: " and ")
    }

    /// The record as its commands name it.
    @MainActor
    private func name(_ step: UndoStep, in context: CommandContext) throws -> String {
        let id = ShortId.of(step.id)
        if step.entityType == .event, let event = try? WireCoding.value(Event.self, from: record) {
            let type = try EventLines(context: context).typeName(event)
            return "\(type), \(context.process.zone.spanText(event)) (\(id))"
        }
        let name = record["name"]?.stringValue ?? record["key"]?.stringValue
        return "the \(step.entityType.displayName)\(name.map { " \($0)" } ?? "") (\(id))"
    }
}

extension ReversalSummary: Encodable {
    /// Writes the records that were brought back to how they were, and those that stayed.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(steps.map(Item.init), forKey: .reversed)
        try container.encode(skipped.map(Item.init), forKey: .skipped)
    }

    private enum CodingKeys: String, CodingKey {
        case reversed, skipped
    }

    /// A record and what had been done to it.
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
