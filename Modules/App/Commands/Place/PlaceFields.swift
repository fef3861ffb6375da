import ArgumentParser
import TrendyDomain
import TrendySync

/// What a place can be told to be, by `place add` and `place edit` alike.
struct PlaceFields: ParsableArguments {
    @Option(name: .long, parsing: .unconditional, help: "The radius in metres, 50 to 10,000.")
    var radius: Double?

    @Option(name: .long, help: "The type to log on entering.")
    var enter: String?

    @Option(name: .long, help: "The type to log on leaving.")
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

    /// Puts what was given into a place.
    @MainActor
    func apply(to place: inout Geofence, in context: CommandContext) throws {
        if let radius { place.radius = radius }
        if let enter { place.eventTypeEntryId = try context.lookup.type(enter).id }
        if let exit { place.eventTypeExitId = try context.lookup.type(exit).id }
        if let active { place.isActive = active }
        if let notifyEntry { place.notifyOnEntry = notifyEntry }
        if let notifyExit { place.notifyOnExit = notifyExit }
    }

    /// Refuses to go on where a type that was named has been deleted since.
    func requireTypes(of place: Geofence, in writes: LocalWrites) throws {
        if let enter { try writes.require(EventType.self, id: place.eventTypeEntryId, named: enter) }
        if let exit { try writes.require(EventType.self, id: place.eventTypeExitId, named: exit) }
    }
}
