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

    @Argument(help: "The place: a name or an id.")
    var place: String

    @Option(name: .long, help: "The new name.")
    var name: String?

    @Option(name: .long, parsing: .unconditional, help: "The latitude in degrees, -90 to 90.")
    var lat: Double?

    @Option(name: .long, parsing: .unconditional, help: "The longitude in degrees, -180 to 180.")
    var lon: Double?

    @OptionGroup var fields: PlaceFields

    @Flag(name: .long, help: "Stop logging an event on entering.")
    var clearEnter = false

    @Flag(name: .long, help: "Stop logging an event on leaving.")
    var clearExit = false

    @OptionGroup var common: CommonOptions

    func check() throws {
        if name == nil, lat == nil, lon == nil, fields.isEmpty, !clearEnter, !clearExit {
            throw CommandFailure.usage(
                "nothing to change: give --name, --lat, --lon, --radius, --enter or the like")
        }
        if clearEnter && fields.enter != nil || clearExit && fields.exit != nil {
            throw CommandFailure.usage("--enter and --clear-enter, or --exit and --clear-exit, cannot be used together")
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
            if !Names.areSame(after.name, before.name) {
                try writes.requireFree(after.name, but: before.id, by: \Geofence.name)
            }
            try fields.requireTypes(of: after, in: writes)
            try writes.change(before, to: after, named: before.name)
        }
        try context.say("changed place \(place.name) (\(ShortId.of(place.id)))", record: Geofence.self, id: place.id)
    }
}

/// The fields that `place add` and `place edit` set.
struct PlaceFields: ParsableArguments {
    @Option(name: .long, parsing: .unconditional, help: "The radius in metres, 50 to 10,000.")
    var radius: Double?

    @Option(name: .long, help: "The type of the event to log on entering.")
    var enter: String?

    @Option(name: .long, help: "The type of the event to log on leaving.")
    var exit: String?

    @Flag(inversion: .prefixedNo, help: "Watch the place, or stop watching it.")
    var active: Bool?

    @Flag(inversion: .prefixedNo, help: "Notify on entering.")
    var notifyEntry: Bool?

    @Flag(inversion: .prefixedNo, help: "Notify on leaving.")
    var notifyExit: Bool?

    var isEmpty: Bool {
        radius == nil && enter == nil && exit == nil && active == nil && notifyEntry == nil && notifyExit == nil
    }

    /// Sets the given fields of a place.
    @MainActor
    func apply(to place: inout Geofence, in context: CommandContext) throws {
        if let radius { place.radius = radius }
        if let enter { place.eventTypeEntryId = try context.lookup.type(enter).id }
        if let exit { place.eventTypeExitId = try context.lookup.type(exit).id }
        if let active { place.isActive = active }
        if let notifyEntry { place.notifyOnEntry = notifyEntry }
        if let notifyExit { place.notifyOnExit = notifyExit }
    }

    /// Refuses to go on if one of the named types was deleted meanwhile.
    func requireTypes(of place: Geofence, in writes: LocalWrites) throws {
        if let enter { try writes.require(EventType.self, id: place.eventTypeEntryId, named: enter) }
        if let exit { try writes.require(EventType.self, id: place.eventTypeExitId, named: exit) }
    }
}

/// Checks latitudes and longitudes.
enum Degrees {
    /// Refuses a wrong latitude.
    static func requireNorth(_ degrees: Double) throws {
        guard !(-90...90).contains(degrees) else { return }
        throw CommandFailure.data(
            "--lat \(NumberText.text(degrees)) is not a latitude; give one from -90 (South Pole) to 90 (North Pole)")
    }

    /// Refuses a wrong longitude.
    static func requireEast(_ degrees: Double) throws {
        guard !(-180...180).contains(degrees) else { return }
        throw CommandFailure.data(
            "--lon \(NumberText.text(degrees)) is not a longitude; give one from -180 (west) to 180 (east)")
    }
}
