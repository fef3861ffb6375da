import ArgumentParser
import TrendyData
import TrendyDomain

struct PlaceEditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a place.",
        discussion: "Example:\n  trendy place edit gym --radius 120 --clear-exit")

    @Argument(help: "The place: its name or id.")
    var place: String

    @Option(name: .long, help: "The new name.")
    var name: String?

    @Option(name: .long, parsing: .unconditional, help: "Degrees north, -90 to 90.")
    var lat: Double?

    @Option(name: .long, parsing: .unconditional, help: "Degrees east, -180 to 180.")
    var lon: Double?

    @OptionGroup var fields: PlaceFields

    @Flag(name: .long, help: "Log nothing on entering.")
    var clearEnter = false

    @Flag(name: .long, help: "Log nothing on leaving.")
    var clearExit = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if name == nil, lat == nil, lon == nil, fields.isEmpty, !clearEnter, !clearExit {
            throw ArgumentParser.ValidationError(
                "nothing to change: give --name, --lat, --lon, --radius, --enter or the like")
        }
        if clearEnter && fields.enter != nil || clearExit && fields.exit != nil {
            throw ArgumentParser.ValidationError("a type cannot be set and cleared at once")
        }
    }

    func run(in context: CommandContext) async throws {
        var place = try context.lookup.place(place).entity
        if let name = name.map(Names.trimmed) {
            try Names.requireFree(name, among: try context.reader.fetch(Geofence.self), but: place.id, by: \.name)
            place.name = name
        }
        if let lat { place.latitude = lat }
        if let lon { place.longitude = lon }
        if clearEnter { place.eventTypeEntryId = nil }
        if clearExit { place.eventTypeExitId = nil }
        try fields.apply(to: &place, in: context)
        try await context.store.update(place)
        try context.say("changed place \(place.name) (\(ShortId.of(place.id)))", record: Geofence.self, id: place.id)
    }
}
