import ArgumentParser
import TrendyData
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

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

    func check() throws {
        if name == nil, lat == nil, lon == nil, fields.isEmpty, !clearEnter, !clearExit {
            throw CommandFailure.usage(
                "nothing to change: give --name, --lat, --lon, --radius, --enter or the like")
        }
        if clearEnter && fields.enter != nil || clearExit && fields.exit != nil {
            throw CommandFailure.usage("a type cannot be set and cleared at once")
        }
    }

    func run(in context: CommandContext) async throws {
        let before = try context.lookup.place(place).entity
        var place = before
        if let name { place.name = try Names.checked(name) }
        if let lat {
            try Degrees.requireNorth(lat)
            place.latitude = lat
        }
        if let lon {
            try Degrees.requireEast(lon)
            place.longitude = lon
        }
        if clearEnter { place.eventTypeEntryId = nil }
        if clearExit { place.eventTypeExitId = nil }
        try fields.apply(to: &place, in: context)
        let after = place
        let fields = fields
        try await context.store.perform { writes in
            if after.name != before.name {
                try writes.requireFree(after.name, but: before.id, by: \Geofence.name)
            }
            try fields.requireTypes(of: after, in: writes)
            try writes.change(before, to: after, named: before.name)
        }
        try context.say("changed place \(place.name) (\(ShortId.of(place.id)))", record: Geofence.self, id: place.id)
    }
}
