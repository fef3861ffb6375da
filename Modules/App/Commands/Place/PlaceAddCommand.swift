import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync

struct PlaceAddCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a place.",
        discussion: "Example:\n  trendy place add gym --lat 52.52 --lon 13.405 --radius 80 --enter workout")

    @Argument(help: "The name.")
    var name: String

    @Option(name: .long, parsing: .unconditional, help: "Degrees north, -90 to 90.")
    var lat: Double

    @Option(name: .long, parsing: .unconditional, help: "Degrees east, -180 to 180.")
    var lon: Double

    @OptionGroup var fields: PlaceFields
    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let name = try Names.checked(name)
        try Degrees.requireNorth(lat)
        try Degrees.requireEast(lon)
        var place = Geofence(id: context.makeId(), name: name, latitude: lat, longitude: lon)
        try fields.apply(to: &place, in: context)
        let described = place
        let fields = fields
        try await context.store.perform { writes in
            try writes.requireFree(name, by: \Geofence.name)
            try fields.requireTypes(of: described, in: writes)
            try writes.create(described)
        }
        try context.say("added place \(name) (\(ShortId.of(place.id)))", record: Geofence.self, id: place.id)
    }
}
