import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// What a command works with.
@MainActor
final class CommandContext {
    let root: CompositionRoot
    /// True where `--json` was given.
    let wantsJSON: Bool
    /// True where somebody has signed in, who has yet to see what is on the server.
    var hasSignedIn = false
    private var usedStore: EventStore?

    init(root: CompositionRoot, wantsJSON: Bool) {
        self.root = root
        self.wantsJSON = wantsJSON
    }

    var process: ProcessContext { root.process }
    var output: Output { process.output }
    var errors: Output { process.errors }
    var lookup: RecordLookup { get throws { try root.lookup } }
    var store: EventStore {
        get throws {
            let store = try root.eventStore
            usedStore = store
            return store
        }
    }
    /// Whether the command has done something that a sync brings further.
    var wantsSync: Bool { hasSignedIn || usedStore?.hasQueued == true }
    var reader: StoreReader { get throws { try root.reader } }
    var ownership: StoreOwnership {
        get throws { StoreOwnership(dataStoreFactory: try root.stores, schema: try root.stores.schema) }
    }
    var style: Style { Style(isTerminal: output.isTerminal, environment: process.environment) }

    /// The files that nothing a person names may take the place of.
    var ownFiles: OwnFiles { OwnFiles(root.configuration.folders) }

    /// The present moment.
    var now: Timestamp { process.wallClock.now() }
    /// Reads times as people write them.
    var times: WhenParser { WhenParser(now: now, zone: process.zone, weekStart: root.configuration.weekStart) }
    /// Reads and writes property values.
    var properties: PropertyText { PropertyText(times: times, decimal: root.configuration.decimal) }

    func makeId() -> String { process.identifiers.makeId() }

    /// Says what was done: a sentence, or with `--json` the given value.
    func say(_ sentence: @autoclosure () -> String, json value: @autoclosure () throws -> some Encodable) throws {
        try telling("what was asked for is done") {
            if wantsJSON {
                try output.json(try value())
            } else {
                try output.line(TextTable.singleLine(sentence()))
            }
        }
    }

    /// Writes about something that has happened; where that fails, the error says that it has.
    private func telling(_ deed: String, _ write: () throws -> Void) throws {
        do {
            try write()
            try output.flush()
        } catch let failure as CommandFailure where failure.status == .inputOutput {
            throw CommandFailure(.inputOutput, "\(failure.message); \(deed) all the same")
        }
    }

    /// Says that a record was made or changed: a sentence, or with `--json` the record.
    func say<Entity: SyncEntity>(_ sentence: @autoclosure () -> String, record type: Entity.Type, id: String) throws {
        try telling("the change is stored") {
            guard wantsJSON else { return try output.line(TextTable.singleLine(sentence())) }
            guard let record = try reader.find(type, id: id) else {
                throw SilentExit(status: .done)
            }
            try output.json(record)
        }
    }

    /// Says something on standard error, for people only.
    func remark(_ text: String) throws {
        try errors.line("trendy: \(TextTable.singleLine(text))")
        try errors.flush()
    }
}
