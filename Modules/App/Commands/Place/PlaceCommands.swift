import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct PlaceGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Manage places (geofences): add, list, edit, rm.",
        discussion: "Example:\n  trendy place add office --lat 52.52 --lon 13.405 --radius 150 --enter work",
        subcommands: [PlaceAddCommand.self, PlaceListCommand.self, PlaceEditCommand.self, PlaceRemoveCommand.self])
}

struct PlaceAddCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a place.",
        discussion: "Example:\n  trendy place add gym --lat 52.52 --lon 13.405 --radius 80 --enter workout")

    @Argument(help: "The name.")
    var name: String

    @Option(name: .long, parsing: .unconditional, help: "The latitude in degrees, -90 to 90.")
    var lat: Double

    @Option(name: .long, parsing: .unconditional, help: "The longitude in degrees, -180 to 180.")
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
        try context.print(table, whenEmpty: "no places yet; add one with 'trendy place add NAME --lat LAT --lon LON'")
    }
}

struct PlaceRemoveCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm", abstract: "Delete a place. Its events stay.",
        discussion: "Example:\n  trendy place rm gym --yes")

    @Argument(help: "The place: a name or an id.")
    var place: String

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let place = try context.lookup.place(place).entity
        if context.process.input.isTerminal {
            try context.confirmation(yes).require("delete the place \(place.name)")
        }
        try await context.store.delete(Geofence.self, id: place.id)
        try context.say(
            "deleted place \(place.name) (\(ShortId.of(place.id)))", json: DeletionResult(deleted: [place.id]))
    }
}
