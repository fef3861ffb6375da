import ArgumentParser
import TrendyDomain
import TrendyNotation

/// What an event can be told to have, by `log` and `edit` alike.
struct EventFields: ParsableArguments {
    @OptionGroup var start: EventStart

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("When it ended.", discussion: Self.bothEnds))
    var until: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "How long it took, like 30m; up to now without --at.", discussion: Self.bothEnds, valueName: "t"))
    var length: String?

    private static let bothEnds = "When it ended; how long it took."

    @OptionGroup var details: EventDetails

    /// What was given.
    var texts: EventTexts {
        var texts = details.texts(start)
        (texts.until, texts.length) = (until, length)
        return texts
    }

    var isEmpty: Bool { texts.isEmpty }
}

/// The properties and the beginning of an event, for `start`, too: a timer has no end yet.
struct EventStart: ParsableArguments {
    @Argument(help: "Properties (km=5, 5km); other words are the note.")
    var assignments: [String] = []

    @Option(name: .long, parsing: .unconditional, help: "When it happened, or began: 'trendy help times'.")
    var at: String?
}

/// What an event can be told to have beside its times, for `start`, too.
struct EventDetails: ParsableArguments {
    @Option(name: .shortAndLong, parsing: .unconditional, help: "A note; of several the last one counts.")
    var note: String?

    @Flag(name: [.customShort("e"), .long], help: "Write the note in your editor: $VISUAL, $EDITOR.")
    var editor = false

    @Option(name: .shortAndLong, parsing: .unconditionalSingleValue, help: "A property as KEY=VALUE; may be repeated.")
    var prop: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The place (a geofence) where it happened.", discussion: Self.bothPlaces))
    var place: String?

    @Option(name: .long, help: ArgumentHelp("The name of where it happened.", discussion: Self.bothPlaces))
    var location: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The degrees north of where it happened; south is negative.", discussion: Self.bothDegrees))
    var lat: Double?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The degrees east of where it happened; west is negative.", discussion: Self.bothDegrees))
    var lon: Double?

    private static let bothPlaces = "Where: a geofence; any name."
    private static let bothDegrees = "The degrees north and east of where it happened."

    @Flag(name: .long, help: "It may lie in the future.")
    var future = false

    /// What was given, with what was said of the beginning.
    func texts(_ start: EventStart) -> EventTexts {
        EventTexts(
            at: start.at, note: note, usesEditor: editor, properties: prop, words: start.assignments, place: place,
            location: location,
            latitude: lat, longitude: lon, allowsFuture: future)
    }
}
