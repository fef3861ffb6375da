import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

/// The dependencies of a command, and its output.
@MainActor
final class CommandContext {
    let root: CompositionRoot
    /// Whether `--json` was given.
    let wantsJSON: Bool
    /// Whether the command signed in, so that the records of the server must be fetched.
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
    /// Whether a sync should follow the command.
    var wantsSync: Bool { hasSignedIn || usedStore?.hasQueued == true }
    var reader: StoreReader { get throws { try root.reader } }
    var ownership: StoreOwnership {
        get throws { StoreOwnership(dataStoreFactory: try root.stores, schema: try root.stores.schema) }
    }
    var style: Style { Style(isTerminal: output.isTerminal, environment: process.environment) }

    /// The files of Trendy itself, which exports must not overwrite.
    var ownFiles: ReservedFiles { ReservedFiles(root.configuration.folders) }

    var now: Timestamp { process.wallClock.now() }
    /// Reads times as people write them.
    var times: WhenParser { WhenParser(now: now, zone: process.zone, weekStart: root.configuration.weekStart) }
    /// Reads and writes property values.
    var properties: PropertyText { PropertyText(times: times, decimal: root.configuration.decimal) }

    func makeId() -> String { process.identifiers.makeId() }

    /// Reports the result: by a sentence, or with `--json` by the given value.
    func say(_ sentence: @autoclosure () -> String, json value: @autoclosure () throws -> some Encodable) throws {
        try telling("the command itself succeeded") {
            if wantsJSON {
                try output.json(try value())
            } else {
                try output.line(TextTable.singleLine(sentence()))
            }
        }
    }

    /// Writes a result. If writing fails, the error says that the work itself was done.
    private func telling(_ deed: String, _ write: () throws -> Void) throws {
        do {
            try write()
            try output.flush()
        } catch let failure as CommandFailure where failure.status == .inputOutput {
            throw CommandFailure(.inputOutput, "\(failure.message); \(deed)")
        }
    }

    /// Reports a created or changed record: by a sentence, or with `--json` by the record.
    func say<Entity: SyncEntity>(_ sentence: @autoclosure () -> String, record type: Entity.Type, id: String) throws {
        try telling("the change is stored") {
            guard wantsJSON else { return try output.line(TextTable.singleLine(sentence())) }
            guard let record = try reader.find(type, id: id) else {
                throw SilentExit(status: .done)
            }
            try output.json(record)
        }
    }

    /// Writes a remark for people on standard error.
    func remark(_ text: String) throws {
        try errors.line("trendy: \(TextTable.singleLine(text))")
        try errors.flush()
    }
}
