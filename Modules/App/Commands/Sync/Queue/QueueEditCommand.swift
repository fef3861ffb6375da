import ArgumentParser
import Foundation
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct QueueEditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Edit the records of waiting or refused changes.",
        discussion: """
            Fields have the names of the API; 'trendy queue show NUMBER' lists them. The
            next sync sends a refused change again. If another device deleted the record,
            'trendy queue retry NUMBER' restores it.
            Example:
              trendy queue edit 12 notes="shorter" is_all_day=true --clear end_date
              trendy queue edit --reason duplicate event_type_id=tea
            """)

    @Argument(
        help: ArgumentHelp(
            "The numbers of the changes, from 'trendy queue list', and new values: FIELD=VALUE.", valueName: "word"))
    var words: [String] = []

    @Option(name: .long, help: "Clear this field; repeatable.")
    var clear: [String] = []

    @OptionGroup var refused: RefusedOptions

    @OptionGroup var common: CommonOptions

    private var ids: ArraySlice<String> {
        // Whoever gives no number means one, unless the changes are chosen in another way.
        refused.isGiven ? words.prefix { Int64($0) != nil } : words.prefix { Int64($0) != nil || !$0.contains("=") }
    }
    private var assignments: ArraySlice<String> { words.dropFirst(ids.count) }

    func check() throws {
        if ids.isEmpty != refused.isGiven {
            throw CommandFailure.usage("give the numbers of changes, or --reason or --kind")
        }
        if assignments.isEmpty && clear.isEmpty {
            throw CommandFailure.usage("nothing to change: give FIELD=VALUE or --clear FIELD")
        }
        for text in assignments where text.firstIndex(of: "=").map({ $0 == text.startIndex }) ?? true {
            throw CommandFailure.usage("'\(text)' is not an assignment; write FIELD=VALUE")
        }
    }

    func run(in context: CommandContext) async throws {
        let changes =
            try refused.isGiven ? refused.changes(in: context) : ids.map { try Self.change($0, in: context) }
        var edited: [(shown: QueuedMutation, line: String)] = []
        // All changes are tried. The first refusal is told at the end.
        var refusal: CommandFailure?
        for mutation in changes {
            do { edited.append(try await edit(mutation, in: context)) } catch  where changes.count > 1 {
                let failure = CommandFailure(error)
                refusal = refusal ?? CommandFailure(failure.status, "change \(mutation.id): \(failure.message)")
            }
        }
        if context.wantsJSON, changes.count != 1 {
            try context.output.jsonArray(edited.map(\.shown))
        } else {
            for (shown, line) in edited { try context.say(line, json: shown) }
        }
        if let refusal {
            let done = "\(counted(edited.count, "change")) of \(changes.count) were edited"
            throw CommandFailure(refusal.status, "\(refusal.message); \(done)")
        }
    }

    @MainActor
    private static func change(_ text: String, in context: CommandContext) throws -> PendingMutation {
        let id = try ChangeNumber.read(text)
        guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
        return mutation
    }

    @MainActor
    private func edit(
        _ mutation: PendingMutation, in context: CommandContext
    ) async throws -> (shown: QueuedMutation, line: String) {
        let fields = FieldAssignments(context: context, mutation: mutation)
        let carrier = try await context.store.editMutation(
            id: mutation.id, changes: try fields.changes(Array(assignments), clear: clear))
        let changed = try context.reader.mutation(id: carrier) ?? mutation
        let shown = QueuedMutation(
            changed, withOutcome: true, without: try MissingParents(context: context).lostParent(of: changed))
        let rest = changed.state == .queued ? "will be sent by the next sync" : "waits: \(shown.help ?? "")"
        return (shown, "\(shown.name) \(rest)")
    }
}

/// Reads `FIELD=VALUE` for any kind of record; a value fits if the record can be decoded with it.
@MainActor
struct FieldAssignments {
    let context: CommandContext
    let mutation: PendingMutation

    /// - Throws: ``CommandFailure`` for an unknown field, or a value that does not fit.
    func changes(_ assignments: [String], clear: [String]) throws -> [String: JSONValue] {
        guard let type = EntitySchema.trendy.type(for: mutation.entityType) else {
            throw CommandFailure.data(
                "this version does not know records of the kind '\(mutation.entityType)'; update Trendy")
        }
        return try changes(type, assignments, clear)
    }

    private func changes<Entity: SyncEntity>(
        _ type: Entity.Type, _ assignments: [String], _ clear: [String]
    ) throws -> [String: JSONValue] {
        // The engine reports a deleted record.
        let record = try context.reader.find(type, id: mutation.entityId)?.entity
        var changes: [String: JSONValue] = [:]
        for field in clear {
            try requireField(field, type)
            changes[field] = .null
        }
        for assignment in assignments {
            let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (field, text) = (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            try requireField(field, type)
            guard changes[field] == nil else { throw CommandFailure.usage("the field '\(field)' is given twice") }
            if type == PropertyDefinition.self, field == PropertyDefinition.CodingKeys.key.stringValue {
                try Assignment.requireUsable(text)
            }
            changes[field] = try record.map { try value(text, for: field, of: $0) } ?? .string(text)
        }
        if let record { try requireFree(changes, in: record) }
        return changes
    }

    /// Refuses a name that another record has, as the server would.
    private func requireFree<Entity: SyncEntity>(_ changes: [String: JSONValue], in record: Entity) throws {
        guard Entity.naturalKey.contains(where: { changes[$0] != nil }) else { return }
        let edited = try Patch<Entity>(changes: changes).applied(to: record)
        let others = try context.reader.fetch(Entity.self).map(\.entity)
        guard let key = try NaturalKey(edited), try key != NaturalKey(record),
            try others.contains(where: { try $0.id != edited.id && NaturalKey($0) == key })
        else { return }
        let fields = try WireCoding.fields(of: edited)
        let name = Entity.naturalKey.last.flatMap { fields[$0]?.stringValue } ?? record.id
        throw CommandFailure.data("the \(Entity.entityType.displayName) '\(name)' exists already; choose another name")
    }

    private func requireField<Entity: SyncEntity>(_ field: String, _ type: Entity.Type) throws {
        let fields = Entity.fields.filter { $0 != "id" }
        if fields.contains(field) { return }
        let hint = Suggestion.nearest(to: field, among: fields).map { "did you mean '\($0)'?" }
        throw CommandFailure.data(
            "there is no field '\(field)'; \(hint ?? "use one of \(fields.joined(separator: ", "))")")
    }

    private func value<Entity: SyncEntity>(_ text: String, for field: String, of entity: Entity) throws -> JSONValue {
        if let id = try reference(text, for: field, of: Entity.self) { return .string(id) }
        var candidates = [JSONValue.string(text)]
        if let json = try? WireCoding.decode(JSONValue.self, from: Data(text.utf8)), json != .null {
            candidates.append(json)
        }
        // Times may be written as for 'log': "yesterday 9:15".
        if let moment = context.times.moment(text) { candidates.append(.string(moment.description)) }
        for candidate in candidates where fits(candidate, field, entity) { return candidate }
        throw CommandFailure.data("'\(text)' cannot be the value of the field '\(field)'")
    }

    /// The id of the type or place that a value names; nil for another field, and for a full id, whose record need not
    /// exist here.
    private func reference<Entity: SyncEntity>(
        _ text: String, for field: String, of type: Entity.Type
    ) throws -> String? {
        guard let reference = Entity.parents.first(where: { $0.field == field }), UUIDv7(text) == nil else {
            return nil
        }
        switch reference.entityType {
        case .eventType: return try context.lookup.type(text).id
        case .geofence: return try context.lookup.place(text).id
        default: return nil
        }
    }

    private func fits<Entity: SyncEntity>(_ value: JSONValue, _ field: String, _ entity: Entity) -> Bool {
        (try? Patch<Entity>(changes: [field: value]).applied(to: entity)) != nil
    }
}
