import TrendyNotation
import TrendyTerminal

/// What `trendy help TOPIC` explains beside the commands.
enum HelpTopic: String, CaseIterable, Sendable {
    case logging, filters, times, units, columns, options, sync, files, settings
    case exitCodes = "exit-codes"

    /// The topic that some words name: `exit-codes`, `exit codes`.
    init?(_ words: [String]) {
        let name = words.joined(separator: "-").lowercased()
        let other = [
            "exit": "exit-codes", "codes": "exit-codes", "time": "times", "unit": "units", "column": "columns",
            "option": "options", "format": "columns", "filter": "filters", "query": "filters",
        ]
        self.init(rawValue: other[name] ?? name)
    }

    /// What it is about.
    var title: String {
        switch self {
        case .logging: "How events get in with few letters."
        case .filters: "How events are chosen."
        case .times: "How times and lengths of time are written."
        case .units: "How numbers with units are written."
        case .columns: "What events can be shown with."
        case .options: "What every command takes."
        case .sync: "How syncing works, and what helps when it does not."
        case .files: "Where everything lies."
        case .settings: "The settings and where they come from."
        case .exitCodes: "What the program ends with."
        }
    }

    /// The text, of lines that fit 80 columns.
    var text: String {
        switch self {
        case .logging: Self.loggingText
        case .filters: Self.filtersText
        case .times: Self.timesText
        case .units: Self.unitsText
        case .columns: Self.columnsText
        case .options: Self.optionsText
        case .sync: Self.syncText
        case .files: Self.filesText
        case .settings: Self.settingsText
        case .exitCodes: Self.exitCodesText
        }
    }

    private static let loggingText = """
        'trendy coffee' is short for 'trendy log coffee' where no command has that name.
        A type goes by its name in any case, by a beginning of it that no other has, by
        its id, and by an alias of this device:

          trendy type edit coffee --alias c
          trendy c size=large --note 'with Kim' --at 9:15

        What was timed becomes one event when it is stopped; restarts do not matter:

          trendy start run
          trendy stop km=7.5

        With '-' each line of standard input is what follows 'trendy log'. All of them
        go in, or none; what stands behind a '#' is a comment:

          trendy log - < lines

        'trendy undo' takes back whatever was changed last, 'trendy redo' does it again.
        """

    private static let filtersText = """
          coffee run            events of one of these types: name, alias or beginning
          size=large km>=5      properties: = != < <= > >=, in their units: 5km, 1h30m;
                                ~ a part of a text; size= no value; prop.size=large
          note~ann note=        in the note (title~ location~ text~); without a note
          '#park' tag:park      the word is marked with # in the note
          place:Office place:   at this place; at none
          since:mon until:-2h   times as in 'trendy help times'
          on:yesterday          on this day; also on:'last week'
          is:allday             also pending, parked (refused by the server), running
          time>30m              from start to end
          type:not id:3f9a1c2e  names that read otherwise; one event

        Side by side all must hold; of several types one. Beside that: not, or, ( ).
        Quote for the shell what has ( ) < > # or blanks: 'km>5', '(tea or cola)'.
        A value with blanks is quoted once more, or goes to the end of its argument.

        Example (also for stats, trend, export, edit, rm and the others that look):
          trendy list coffee size=large 'price>3' or 'tea not note~ann'
        """

    private static let timesText = """
        Times are read in the time zone of this machine (or of TZ):

          9:15, 0915, 8am, noon      today; also 'half past 8', 'this morning'
          yesterday 22:00            also 'mon 8am' (the last one), 'this mon' (of this
                                     week), 'next mon' (after today), 'last night'
          3 days ago, -90m, in 5 min also 'half an hour ago', '3 days ago 9:15'; days
                                     and longer go by the calendar
          nov 20 14:30, 20.11.       the last one; with a year too
          2026-11-20, 2026-W47-5     the beginning of that day; also 2026/11/20
          2026-11-20 14:30           also ...T14:30, ...:30Z, ...:30+01:00, and compact
          last week, november, 2025  where events are looked for: the beginning with
                                     --since, the end with --until; days, too

        What has not happened yet is refused unless --future is there; so is what can
        mean two days (11/12/2026), or what the clock shows twice or never. As an end
        (--until), 10:30 is the first one after the start, and +45m counts from there.
        In 'trendy edit', --at 10:30 keeps the day of the event.

        Lengths of time: 90 (seconds), 45s, 1h30m, 1h30, 1.5h, 1,5h, '2 days', 1:30:00.

        Example:
          trendy log run --at 'yesterday 9:15' --until 'yesterday 10:00'
        """

    private static let unitsText = """
        A number may have a unit behind it: 5km, '5 km', 2.5kg, 1h30m, 5ft3in. It is
        converted into the unit that the label or the key of the property names:

          trendy prop add run distance --kind number --label 'Distance (km)'
          trendy log run distance=3mi        logs 4.828032

        Where they name none, the first unit that is written goes into the label; every
        device reads it there. What cannot be converted is refused.

          length    mm cm dm m km in ft yd mi nmi
          mass      µg mg g kg t oz lb st
          volume    ml cl dl l tsp tbsp floz cup pt qt gal (US measures)
          duration  ms s min h d w
          energy    J kJ cal kcal Wh kWh

        A property of the kind duration takes lengths of time: 1h30m, 45s, 1:30:00. A
        number alone is in the unit that label or key name (s, min, h), or in seconds.
        """

    private static var columnsText: String {
        let names = (EventColumn.Fact.allCases.map(\.rawValue) + ["prop.KEY"]).joined(separator: " ")
        return """
            'list', 'today' and 'week' show events by day. These are the columns that
            --columns can name, with commas between them, and the placeholders of --format:

            \(TextWrap.lines(names, columns: 76).map { "  " + $0 }.joined(separator: "\n"))

            prop.KEY is the property of that key. Programs are served by --json and --csv.

            Examples:
              trendy list run --columns date,duration,prop.km,note
              trendy list --format '{{short_id}} {{type}} {{time}}'
            """
    }

    private static let optionsText = """
          --json       print JSON with the field names of the API, for programs
          -h, --help   show what a command takes
          --version    show which version of trendy this is
          --           what follows is no option: trendy log -- -3

        An option has its value behind it or behind a sign: --at 9:15, --at=9:15. Those
        with one letter have it behind a blank: -n 'with milk'. --[no-]NAME stands for
        --NAME and for --no-NAME.

        What holds for all commands is set by 'trendy config' or in the environment:
        'trendy help settings'.

        Example:
          trendy today --json
        """

    private static let syncText = """
        Everything is written to this device first, and waits in a queue until a server
        takes it. Nothing is lost without a network; 'trendy status' says what waits.

          trendy signup, trendy login   an account; once on each device
          trendy sync                   sends what waits, receives what others did
          trendy sync --watch           stays, and syncs as soon as something changes
          trendy status                 what waits, and what was wrong last
          trendy doctor                 looks for what is not in order

        What the server refuses stays in the queue with its reason:

          trendy queue                  what waits or was refused: show, edit, drop
          trendy conflicts              both sides where two devices changed the same
          trendy quarantine             what the server sent and nobody here understands

        'trendy config set autosync false' ends the syncs that start by themselves.
        """

    private static let filesText = """
        All of it lies in $TRENDY_HOME where that is set. Elsewhere, by the XDG folders:

          ~/.local/share/trendy/trendy.sqlite     the store: events, types, the queue
          ~/.config/trendy/config.json            the settings ('trendy config')
          ~/.config/trendy/credentials.json       the sign-in; for its owner alone
          ~/.local/share/trendy/server            the data of 'trendy serve'

        XDG_DATA_HOME stands for ~/.local/share, XDG_CONFIG_HOME for ~/.config. Several
        programs may use one store at a time. Beside the store lie SQLite's own files
        (-wal, -shm): they belong to it.

        Example:
          TRENDY_HOME=/tmp/try trendy log coffee --create-type
        """

    private static var settingsText: String {
        var lines = [
            "A flag wins over an environment variable, that over the configuration file, that",
            "over the default. The file is a JSON object; comments are allowed in it.", "",
        ]
        for setting in Setting.all {
            lines += TextWrap.lines("\(setting.key): \(setting.meaning).", columns: 78).map { "  " + $0 }
            let places = [setting.flag, setting.variable].compactMap { $0 }.joined(separator: ", ")
            lines.append("      \(places); default: \(setting.standardText)")
        }
        lines += [
            "", "Beside them: TRENDY_HOME ('trendy help files'), PAGER, NO_COLOR, COLUMNS, TZ.", "",
            "Example:", "  trendy config set timeout 30",
        ]
        return lines.joined(separator: "\n")
    }

    private static var exitCodesText: String {
        let rows = CommandStatus.allCases.map { "  " + "\($0.rawValue)".padded(toColumns: 3) + "  " + $0.meaning }
        return """
            \(rows.joined(separator: "\n"))

            The numbers are those of sysexits(3), and 130 is the shells'. With a code other
            than 0, standard error has one line: what happened, to what, and what to do.
            Below what is wrong with a filter, two lines show the place.

            Example:
              trendy sync || [ $? = 69 ] && echo 'no network, later'
            """
    }
}
