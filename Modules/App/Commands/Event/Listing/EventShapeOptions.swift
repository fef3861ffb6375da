import ArgumentParser
import TrendyTerminal

/// The format options of `list`, `today` and `week`.
struct EventShapeOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditional,
        help: "Print a line per event: '{{type}} {{time}} {{prop.km}}'.")
    var format: String?

    @Option(name: .long, parsing: .unconditional, help: "Print a table with these columns: time,type,prop.km,note.")
    var columns: String?

    @Flag(name: .long, help: "Print CSV, with the columns of 'trendy export csv'.")
    var csv = false

    @Flag(name: .long, help: "Do not use a pager.")
    var noPager = false

    @OptionGroup var screen: ScreenOptions

    var shape: EventShape {
        EventShape(format: format, columns: columns, isCSV: csv, skipsPager: noPager, isASCII: screen.ascii)
    }
}
