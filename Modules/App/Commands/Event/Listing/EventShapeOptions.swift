import ArgumentParser
import TrendyTerminal

/// The shape in which events are shown, by `list`, `today` and `week` alike.
struct EventShapeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: "A line for each event: '{{type}} {{time}} {{prop.km}}'.")
    var format: String?

    @Option(name: .long, parsing: .unconditional, help: "A table of these columns: time,type,prop.km,note.")
    var columns: String?

    @Flag(name: .long, help: "Write CSV, with the columns of 'trendy export csv'.")
    var csv = false

    @Flag(name: .long, help: "Write everything at once, whatever the screen holds.")
    var noPager = false

    @OptionGroup var screen: ScreenOptions

    /// What was given.
    var shape: EventShape {
        EventShape(format: format, columns: columns, isCSV: csv, skipsPager: noPager, isASCII: screen.ascii)
    }
}
