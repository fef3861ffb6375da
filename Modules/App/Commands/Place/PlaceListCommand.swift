import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendyTerminal

struct PlaceListCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the places.", discussion: "Example:\n  trendy place list")

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let places = try context.reader.fetch(Geofence.self).sorted { $0.entity.name < $1.entity.name }
        if context.wantsJSON { return try context.output.jsonArray(places) }
        let types = try context.reader.fetch(EventType.self)
        let names = Dictionary(types.map { ($0.id, $0.entity.name) }, uniquingKeysWith: { first, _ in first })
        var table = TextTable("ID", "NAME", "LATITUDE", "LONGITUDE", "RADIUS", "ENTER", "EXIT", "ACTIVE")
        for place in places.map(\.entity) {
            table.add(
                ShortId.of(place.id), place.name, NumberText.text(place.latitude), NumberText.text(place.longitude),
                NumberText.text(place.radius) + " m", place.eventTypeEntryId.flatMap { names[$0] } ?? "",
                place.eventTypeExitId.flatMap { names[$0] } ?? "", place.isActive ? "yes" : "no")
        }
        try context.print(table, whenEmpty: "no places yet; make one with 'trendy place add NAME --lat LAT --lon LON'")
    }
}
