import ArgumentParser
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The filter argument of a command.
struct QueryArgument: ParsableArguments {
    @Argument(help: "A filter, like run 'km>5': 'trendy help filters'.")
    var filter: [String] = []

    var texts: QueryInput { QueryInput(words: filter) }
}

/// A filter with options for its times.
struct QueryOptions: ParsableArguments {
    @OptionGroup var argument: QueryArgument

    @Option(name: .long, parsing: .unconditional, help: "Only events at or after this time.")
    var since: String?

    @Option(name: .long, parsing: .unconditional, help: "Only events before this time or the end of this day.")
    var until: String?

    var texts: QueryInput { QueryInput(words: argument.filter, since: since, until: until) }
}

/// A filter with options for its times and a text.
struct SearchOptions: ParsableArguments {
    @OptionGroup var query: QueryOptions

    @Option(name: .long, parsing: .unconditional, help: "Only events with this text in note, title or location.")
    var search: String?

    var texts: QueryInput {
        var texts = query.texts
        texts.search = search
        return texts
    }
}
