import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct PropertyListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the properties of a type, or of all types.",
        discussion: "Example:\n  trendy prop list coffee")

    @Argument(help: "The type: its name or id.")
    var type: String?

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let types = try type.map { [try context.lookup.type($0)] } ?? (try context.reader.fetch(EventType.self))
        let sorted = types.map(\.entity).sorted { $0.name < $1.name }
        let found = try sorted.map { ($0, try context.lookup.properties(of: $0.id)) }
        if context.wantsJSON { return try context.output.jsonArray(found.flatMap { $0.1 }) }
        var table = TextTable(
            "ID", "TYPE", "KEY", "KIND", "LABEL", "DEFAULT", "OPTIONS", spare: ["LABEL", "DEFAULT"], elastic: "OPTIONS")
        for (type, properties) in found {
            for property in properties.map(\.entity) {
                table.add(
                    ShortId.of(property.id), type.name, property.key, property.propertyType.rawValue, property.label,
                    context.properties.defaultText(of: property), (property.options ?? []).joined(separator: ", "))
            }
        }
        try context.print(
            table, on: context.screen,
            whenEmpty: "no properties yet; make one with 'trendy prop add TYPE KEY --kind number'")
    }
}
