import ArgumentParser
import TrendyDomain
import TrendyNotation

/// The fields of an event that `log` and `edit` set.
struct EventFields: ParsableArguments {
    @OptionGroup var start: EventStart

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The end.", discussion: Self.bothEnds))
    var until: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "The duration, like 30m; without --at it ends now.", discussion: Self.bothEnds, valueName: "t"))
    var length: String?

    private static let bothEnds = "The end; or the duration."

    @OptionGroup var details: EventDetails

    var texts: EventInput {
        var texts = details.texts(start)
        (texts.until, texts.length) = (until, length)
        return texts
    }

    var isEmpty: Bool { texts.isEmpty }
}

/// The properties and the start of an event; also for `start`, as a timer has no end.
struct EventStart: ParsableArguments {
    @Argument(help: "Properties (km=5, 5km); other words are the note.")
    var assignments: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "The time, or the start: 'trendy help times'.")
    var at: String?
}

/// The fields of an event other than its times; also for `start`.
struct EventDetails: ParsableArguments {
    @Option(name: .shortAndLong, parsing: .unconditional, help: "The note. The last one counts.")
    var note: String?

    @Flag(name: [.customShort("e"), .long], help: "Write the note in an editor: $VISUAL or $EDITOR.")
    var editor = false

    @Option(name: .shortAndLong, parsing: .unconditionalSingleValue, help: "A property: KEY=VALUE; repeatable.")
    var prop: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The place (geofence).", discussion: Self.bothPlaces))
    var place: String?

    @Option(name: .long, help: ArgumentHelp("The name of the location.", discussion: Self.bothPlaces))
    var location: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The latitude in degrees; south is negative.", discussion: Self.bothDegrees))
    var lat: Double?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The longitude in degrees; west is negative.", discussion: Self.bothDegrees))
    var lon: Double?

    private static let bothPlaces = "The geofence; any location name."
    private static let bothDegrees = "The latitude and longitude in degrees."

    @Flag(name: .long, help: "Allow times in the future.")
    var future = false

    func texts(_ start: EventStart) -> EventInput {
        EventInput(
            at: start.at, note: note, usesEditor: editor, properties: prop, words: start.assignments, place: place,
            location: location,
            latitude: lat, longitude: lon, allowsFuture: future)
    }
}
