import TrendyDomain

/// Changes of the server, read as records of their kinds.
///
/// Reading needs no store, so it is done while the store saves the answer before.
struct ReadChanges: Sendable {
    /// A change with what it holds.
    struct Item<Entity: SyncEntity>: Sendable {
        var change: SyncChange
        /// The record, or why this version cannot keep it.
        var record: Result<LocalRecord<Entity>, any Error>
        /// The ids of its parents, by the fields that refer to them.
        var parents: [String: String] = [:]
    }

    private struct WrongId: Error {}

    /// The changes of kinds that this version does not know.
    let unknown: [SyncChange]
    /// The items of each kind.
    private var records: [EntityType: any Sendable] = [:]
    private var tombstones: [EntityType: [SyncChange]] = [:]

    init(_ changes: [SyncChange], _ schema: EntitySchema) {
        unknown = changes.filter { schema.type(for: $0.entityType) == nil }
        for (kind, changes) in Dictionary(grouping: changes, by: \.entityType) {
            guard let type = schema.type(for: kind) else { continue }
            tombstones[kind] = changes.filter(\.deleted)
            read(type, changes, schema)
        }
    }

    private mutating func read<Entity: SyncEntity>(
        _ type: Entity.Type, _ changes: [SyncChange], _ schema: EntitySchema
    ) {
        let known = Entity.receivedFields
        let names = Entity.parents.filter { schema.type(for: $0.entityType) != nil }.map(\.field)
        records[Entity.entityType] = changes.filter { !$0.deleted }.map { change in
            do {
                let record = try Entity.received(change, known: known)
                guard record.id == change.entityId else { throw WrongId() }
                let parents = names.isEmpty ? [:] : try StringFields.of(record.entity, among: names)
                return Item(change: change, record: .success(record), parents: parents)
            } catch {
                return Item<Entity>(change: change, record: .failure(error))
            }
        }
    }

    /// The records of a kind, in the order in which they came.
    ///
    /// - Throws: ``StoreError`` if another schema, with another type for the kind, has read the changes.
    func items<Entity: SyncEntity>(_ type: Entity.Type) throws -> [Item<Entity>] {
        guard let read = records[Entity.entityType] else { return [] }
        guard let items = read as? [Item<Entity>] else {
            throw StoreError.failed("changes of the kind \(Entity.entityType) were read as another type")
        }
        return items
    }

    /// The tombstones of a kind, in the order in which they came.
    func tombstones(_ kind: EntityType) -> [SyncChange] { tombstones[kind] ?? [] }

    /// Why a change cannot be kept, for a person.
    static func reason(_ error: any Error) -> String {
        switch error {
        case let error as DecodingError: inWords(error)
        case let error as ValidationError: error.description
        case is WrongId: "it says another id than its change"
        default: "\(error)"
        }
    }
}

/// An answer of the server with its changes read.
struct ReadResponse: Sendable {
    let response: SyncResponse
    let changes: ReadChanges
    /// How long the request took; nil if the gateway has made several of it.
    let time: Duration?
    /// The keys of mutations that had no effect; see ``GatewayAnswer``.
    let untouched: Set<String>
    /// See ``GatewayAnswer``.
    let provesHealth: Bool

    init(_ answer: GatewayAnswer, in time: Duration?, _ schema: EntitySchema) {
        (response, untouched, self.time) = (answer.response, answer.untouched, time)
        provesHealth = answer.provesHealth
        changes = ReadChanges(response.changes, schema)
    }
}
