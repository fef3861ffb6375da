import ArgumentParser
import TrendyNotation
import TrendyReport
import TrendyTerminal

/// The filter that a command takes.
struct QueryArgument: ParsableArguments {
    @Argument(help: "Types, 'km>5', since:mon …: 'trendy help filters'.")
    var filter: [String] = []

    var texts: QueryTexts { QueryTexts(words: filter) }
}

/// A filter, and the times of it as options.
struct QueryOptions: ParsableArguments {
    @OptionGroup var argument: QueryArgument

    @Option(name: .long, parsing: .unconditional, help: "Only at or after this time.")
    var since: String?

    @Option(name: .long, parsing: .unconditional, help: "Only before this time, or to the end of this day.")
    var until: String?

    var texts: QueryTexts { QueryTexts(words: argument.filter, since: since, until: until) }
}

/// A filter, and the times and the text of it as options.
struct SearchOptions: ParsableArguments {
    @OptionGroup var query: QueryOptions

    @Option(name: .long, parsing: .unconditional, help: "Only with this text in note, title or location.")
    var search: String?

    var texts: QueryTexts {
        var texts = query.texts
        texts.search = search
        return texts
    }
}
