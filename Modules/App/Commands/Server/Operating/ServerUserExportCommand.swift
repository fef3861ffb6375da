import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyServer
import TrendyTerminal

struct ServerUserExportCommand: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write an account's records as JSON, as 'export json' does.",
        discussion: """
            It is what the server has, at one moment; what a device has not sent yet is not
            in it. 'trendy import json' reads it.

            Example:
              trendy server user export ann@example.org ann.json
            """)

    @Argument(help: "The address of the account.")
    var address: String

    @Argument(help: "The file; standard output otherwise.")
    var file: String?

    @OptionGroup var place: ServerDataOptions
    @OptionGroup var common: CommonOptions

    func check() throws { try place.check() }

    func run(in context: CommandContext) async throws {
        let manager = try place.open(in: context)
        // A file that is there stays as it is where there is no such account.
        _ = try manager.account(address)
        var counts: [EntityType: Int] = [:]
        let export = ExportTarget(path: file == "-" ? nil : file, context: context)
        try export.write { output in
            counts = try manager.export(address, ExportedKinds.all) { try output.write($0) }
        }
        guard let file, !export.isStandardOutput else { return }
        let events = counts[.event, default: 0]
        try context.say(
            "wrote \(counted(events, "event")) of \(address) and what describes them to \(file)",
            json: Exported(file: file, events: events))
    }
}

/// The arrays of an export, in the order in which an import needs them.
enum ExportedKinds {
    static let all: [(name: String, entityType: EntityType)] = [
        ("event_types", .eventType), ("property_definitions", .propertyDefinition), ("geofences", .geofence),
        ("events", .event),
    ]
}
