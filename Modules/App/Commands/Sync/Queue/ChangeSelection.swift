import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// Chooses refused changes by what they have in common.
struct RefusedOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The refused changes with this reason: a word of 'trendy queue list', or a code of its --json.",
            valueName: "word"))
    var reason: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The refused changes of this kind: event, type, property or place.", valueName: "kind"))
    var kind: String?

    /// Whether something was chosen.
    var isGiven: Bool { reason != nil || kind != nil }

    /// The chosen changes.
    ///
    /// - Throws: ``CommandFailure`` for an unknown kind, or a reason that no refused change has.
    @MainActor
    func changes(in context: CommandContext) throws -> [PendingMutation] {
        let parked = try context.reader.mutations(MutationQuery(states: [.parked]))
        if let reason, !parked.contains(where: { $0.hasReason(reason) }) {
            let words = parked.reduce(into: Set<String>()) { $0.formUnion($1.refusalWords) }.sorted()
            let hint = words.isEmpty ? "no change was refused" : "there are \(words.joined(separator: ", "))"
            throw CommandFailure.data("no refused change has the reason '\(reason)'; \(hint)")
        }
        let entityType = try kind.map(Self.entityType)
        return parked.filter { mutation in
            (reason.map(mutation.hasReason) ?? true)
                && (entityType.map { $0 == mutation.entityType } ?? true)
        }
    }

    private static func entityType(_ text: String) throws -> EntityType {
        let word = text.lowercased().replacing("-", with: "_").replacing(" ", with: "_")
        let short = ["type": EntityType.eventType, "property": .propertyDefinition, "place": .geofence]
        if let found = short[word] { return found }
        if let type = EntitySchema.trendy.type(for: EntityType(rawValue: word)) { return type.entityType }
        throw CommandFailure.usage("'\(text)' is no kind of record; use event, type, property or place")
    }
}

/// Chooses changes by their numbers, or refused changes by what they have in common.
struct ChangeSelection: ParsableArguments {
    @Argument(help: "The numbers of the changes, from 'trendy queue list'.")
    var ids: [String] = []

    @Flag(name: .long, help: "All refused and lost changes.")
    var all = false

    @OptionGroup var refused: RefusedOptions

    /// Whether the changes are chosen by what they have in common.
    var isOfMany: Bool { all || refused.isGiven }

    /// - Throws: ``CommandFailure`` if it is not said which changes, or said in two ways.
    func check() throws {
        if ids.isEmpty != isOfMany {
            throw CommandFailure.usage("give the numbers of changes, or --all, --reason or --kind")
        }
    }

    @MainActor
    func changes(in context: CommandContext) throws -> [PendingMutation] {
        if isOfMany { return try refused.changes(in: context) }
        return try ids.map { text in
            let id = try ChangeNumber.read(text)
            guard let mutation = try context.reader.mutation(id: id) else { throw CommandFailure.unknownChange(id) }
            return mutation
        }
    }
}

/// The refused changes, by the words of their reasons.
struct RefusedChanges {
    /// Changes that were refused for the same reason.
    struct Group {
        /// The word that `--reason` takes.
        let word: String
        let count: Int
        /// The reason of the first of them.
        let reason: String
    }

    /// The largest first.
    let groups: [Group]

    /// From so many changes on, a group is decided about as a whole.
    private static let crowd = 10

    /// Reads them from the store, without what a server has lost.
    @MainActor
    static func read(_ context: CommandContext) throws -> RefusedChanges {
        RefusedChanges(
            try context.reader.mutations(MutationQuery(states: [.parked])).filter { $0.parkCode != .lostByServer })
    }

    init(_ mutations: [PendingMutation]) {
        let refused = mutations.filter { $0.refusalWord != nil }
        groups = Dictionary(grouping: refused) { $0.refusalWord ?? "" }
            .map { word, mutations in
                Group(
                    word: word, count: mutations.count,
                    reason: mutations.first.flatMap { QueuedMutation($0).explanation } ?? "")
            }
            .sorted { ($1.count, $0.word) < ($0.count, $1.word) }
    }

    private var count: Int { groups.reduce(0) { $0 + $1.count } }

    /// `299 changes were refused (298 duplicate, 1 rejected); see 'trendy queue list'`.
    var message: String {
        let verb = count == 1 ? "was" : "were"
        guard let first = groups.first, first.count >= Self.crowd else {
            return "\(counted(count, "change")) \(verb) refused; see 'trendy queue list'"
        }
        let rest = groups.count == 1 ? "" : " (\(figures))"
        return "\(counted(count, "change")) \(verb) refused\(rest): \(first.reason); "
            + "'trendy queue list --reason \(first.word)' says how to decide about all of them"
    }

    /// `298 duplicate, 1 rejected`; nil where they are few.
    var crowds: String? { groups.first.map { $0.count >= Self.crowd } == true ? figures : nil }

    private var figures: String { groups.map { "\(FigureText.text($0.count)) \($0.word)" }.joined(separator: ", ") }

    /// A line for each group that is decided about as a whole.
    var lines: [String] {
        groups.filter { $0.count >= Self.crowd }.map { group in
            let option = "--reason \(group.word)"
            return "\(FigureText.text(group.count)) changes with the reason \(group.word): "
                + "'trendy queue retry \(option)' sends all of them again, "
                + "'trendy queue edit \(option) FIELD=VALUE' changes them, 'trendy queue drop \(option)' drops them"
        }
    }
}

extension PendingMutation {
    /// Why it was refused, in a word: the code of the reason, or what the server says of each field that it refuses; nil
    /// if it is not parked.
    var refusalWord: String? {
        guard case .parked(let reason) = state else { return nil }
        let codes = Set(reason.fields.map(\.code))
        if reason.code == .rejected, codes.count == 1, let code = codes.first { return code }
        return reason.code.rawValue
    }

    /// All words for its reason: the one that people see, and the code that JSON has. They differ where the server has
    /// refused one field alone.
    fileprivate var refusalWords: Set<String> { Set([refusalWord, parkCode?.rawValue].compactMap(\.self)) }

    fileprivate func hasReason(_ word: String) -> Bool { refusalWords.contains(word) }
}
