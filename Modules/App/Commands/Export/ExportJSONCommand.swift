import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct ExportJSONCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "Export all records as one JSON object, with an array for each kind.",
        discussion: "Example:\n  trendy export json --output backup.json")

    @OptionGroup var file: ExportFileOptions

    @OptionGroup var query: SearchOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let filter = try context.query(query.texts).filter
        // Reads that could fail on a damaged store come before the first output.
        let types = try context.reader.fetch(EventType.self)
        let properties = try context.reader.fetch(PropertyDefinition.self)
        let places = try context.reader.fetch(Geofence.self)
        let owner = try context.ownership.owner()?.userId
        try file.write(in: context, more: " and their definitions") { export, target in
            try target.write("{\"event_types\":")
            try array(types.map { $0.owned(by: owner) }, to: target)
            try target.write(",\n\"property_definitions\":")
            try array(properties.map { $0.owned(by: owner) }, to: target)
            try target.write(",\n\"geofences\":")
            try array(places.map { $0.owned(by: owner) }, to: target)
            try target.write(",\n\"events\":")
            var array = JSONArrayWriter(output: target)
            let events = try export.forEachEvent(matching: filter) { try array.add($0.owned(by: owner)) }
            try array.end(isNested: true)
            try target.write("}\n")
            return events
        }
    }

    @MainActor
    private func array(_ records: [some Encodable], to target: Output) throws {
        var array = JSONArrayWriter(output: target)
        for record in records { try array.add(record) }
        try array.end(isNested: true)
    }
}

struct ExportJSONLinesCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jsonl", abstract: "Export all records as JSON Lines, one record per line.",
        discussion: """
            The field entity_type is the kind of the record. Types, properties and places come
            first, then the events, oldest first.

            Example:
              trendy export jsonl | jq -c 'select(.entity_type == "event")'
            """)

    @OptionGroup var file: ExportFileOptions

    @OptionGroup var query: SearchOptions
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let filter = try context.query(query.texts).filter
        // Reads that could fail on a damaged store come before the first output.
        let types = try context.reader.fetch(EventType.self)
        let properties = try context.reader.fetch(PropertyDefinition.self)
        let places = try context.reader.fetch(Geofence.self)
        let owner = try context.ownership.owner()?.userId
        try file.write(in: context, more: " and their definitions") { export, target in
            for type in types { try target.json(ExportedLine(type.owned(by: owner))) }
            for property in properties { try target.json(ExportedLine(property.owned(by: owner))) }
            for place in places { try target.json(ExportedLine(place.owned(by: owner))) }
            return try export.forEachEvent(matching: filter) { try target.json(ExportedLine($0.owned(by: owner))) }
        }
    }
}

/// A record with its kind.
struct ExportedLine<Entity: SyncEntity>: Encodable {
    let record: LocalRecord<Entity>

    init(_ record: LocalRecord<Entity>) { self.record = record }

    private enum CodingKeys: String, CodingKey {
        case entityType = "entity_type"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Entity.entityType, forKey: .entityType)
        try record.encode(to: encoder)
    }
}
