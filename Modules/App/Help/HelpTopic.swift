import TrendyNotation
import TrendyTerminal

/// The topics of `trendy help TOPIC`.
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

    /// The heading, one sentence.
    var title: String {
        switch self {
        case .logging: "How to log events."
        case .filters: "How to choose events."
        case .times: "How to write times and durations."
        case .units: "How to write numbers with units."
        case .columns: "The columns of event lists."
        case .options: "The options of every command."
        case .sync: "How sync works, and how to solve sync problems."
        case .files: "The files that Trendy uses."
        case .settings: "The settings and their sources."
        case .exitCodes: "The exit codes of the program."
        }
    }

    /// The text; no line is wider than 80 columns.
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
        'trendy coffee' is short for 'trendy log coffee' if no command is called
        'coffee'. Write a type as its name in any case, the beginning of its name, its
        id, or an alias. An alias belongs to this device:

          trendy type edit coffee --alias c
          trendy c size=large --note 'with Kim' --at 9:15

        A timer becomes an event when you stop it. It survives a restart:

          trendy start run
          trendy stop km=7.5

        With '-', each line of standard input is logged like the words after
        'trendy log'. All lines are logged, or none. Text after '#' is a comment:

          trendy log - < lines

        'trendy undo' undoes the last change, 'trendy redo' repeats it.
        """

    private static let filtersText = """
          coffee run            events of any of these types: name, alias or beginning
          size=large km>=5      properties: = != < <= > >=, with units: 5km, 1h30m;
                                '~' finds part of a text; 'size=' means no value
          note~ann note=        note has 'ann' (also title~ location~ text~); no note
          '#park' tag:park      the note has the hashtag #park
          place:Office place:   events at this place; events without a place
          since:mon until:-2h   times as in 'trendy help times'
          on:yesterday          events of this day; also on:'last week'
          is:allday             also is:pending, is:parked (refused), is:running
          time>30m              events that lasted longer than 30 minutes
          type:not prop.is=1    a type or property whose name is also a keyword
          id:3f9a1c2e           one event

        All conditions must hold; of several types, one. Also: not, or, ( ). Quote
        ( ) < > # and spaces for the shell: 'km>5', '(tea or cola)'. A value with
        spaces needs its own quotes, unless it ends the argument.

        Example (stats, trend, export, edit, rm and others take filters, too):
          trendy list coffee size=large 'price>3' or 'tea not note~ann'
        """

    private static let timesText = """
        Times are in the time zone of this machine (or of the variable TZ):

          9:15, 0915, 8am, noon      today; also 'half past 8', 'this morning'
          yesterday 22:00            also 'mon 8am' (the last Monday), 'last night',
                                     'this mon' (of this week), 'next mon'
          3 days ago, -90m, in 5 min also 'half an hour ago', '3 days ago 9:15'; days
                                     and longer units follow the calendar
          nov 20 14:30, 20.11.       the last such date; a year may follow
          2026-11-20, 2026-W47-5     the start of that day; also 2026/11/20
          2026-11-20 14:30           also ...T14:30, ...:30Z, +01:00, 20261120T1430
          last week, november, 2025  periods: --since takes the start of one, --until
                                     the end; a day is a period, too

        A time in the future needs --future. A date with two meanings (11/12/2026) is
        refused, and so is a time that the clock shows twice or never. As an end
        (--until), 10:30 is the first 10:30 after the start, and +45m counts from the
        start. In 'trendy edit', --at 10:30 keeps the day of the event.

        Durations: 90 (seconds), 45s, 1h30m, 1h30, 1.5h, 1,5h, '2 days', 1:30:00.

        Example:
          trendy log run --at 'yesterday 9:15' --until 'yesterday 10:00'
        """

    private static let unitsText = """
        A number may end with a unit: 5km, '5 km', 2.5kg, 1h30m, 5ft3in. It is converted
        into the unit of the property, which stands in its label or key:

          trendy prop add run distance --kind number --label 'Distance (km)'
          trendy log run distance=3mi        logs 4.828032

        A property without a unit gets the first unit that you write. It is added to the
        label, so that all devices know it. A unit of another quantity is refused.

          length    mm cm dm m km in ft yd mi nmi
          mass      µg mg g kg t oz lb st
          volume    ml cl dl l tsp tbsp floz cup pt qt gal (US measures)
          duration  ms s min h d w
          energy    J kJ cal kcal Wh kWh

        A duration property takes durations: 1h30m, 45s, 1:30:00. A number without unit
        is in the unit of the property (s, min, h), or in seconds if it has none.
        """

    private static var columnsText: String {
        let names = (EventColumn.Fact.allCases.map(\.rawValue) + ["prop.KEY"]).joined(separator: " ")
        return """
            'list', 'today' and 'week' show events by day. --columns takes some of these
            names, separated by commas; --format takes them as placeholders:

            \(TextWrap.lines(names, columns: 76).map { "  " + $0 }.joined(separator: "\n"))

            prop.KEY is the property with the key KEY. For programs, use --json or --csv.

            Examples:
              trendy list run --columns date,duration,prop.km,note
              trendy list --format '{{short_id}} {{type}} {{time}}'
            """
    }

    private static let optionsText = """
          --json       print JSON for programs, with the field names of the API
          -h, --help   show the help of a command
          --version    show the version of trendy
          --           treat the rest as values: trendy log -- -3

        A value follows a space or '=': --at 9:15, --at=9:15. After a short option it
        follows a space: -n 'with milk'. --[no-]NAME stands for --NAME and --no-NAME.

        Settings for all commands: 'trendy config', environment variables, and
        'trendy help settings'.

        Example:
          trendy today --json
        """

    private static let syncText = """
        Every change is stored on this device first, and waits in a queue until the
        server accepts it. Without a network, nothing is lost.

          trendy signup, trendy login   create an account, or sign in; once per device
          trendy sync                   send waiting changes, and receive new ones
          trendy sync --watch           keep running, and sync after each change
          trendy status                 show waiting changes and the last problem
          trendy doctor                 check for problems, and say how to solve them

        A change that the server refuses stays in the queue, with the reason:

          trendy queue                  show, edit, retry or drop changes
          trendy conflicts              see what two devices changed at once
          trendy quarantine             see data that this version cannot use

        'trendy config set autosync false' turns automatic sync off.
        """

    private static let filesText = """
        If TRENDY_HOME is set, all files are in that folder. Otherwise:

          ~/.local/share/trendy/trendy.sqlite     the store: events, types, the queue
          ~/.config/trendy/config.json            the settings ('trendy config')
          ~/.config/trendy/credentials.json       the sign-in (private)
          ~/.local/share/trendy/backups.json      where the last backups are
          ~/.local/share/trendy/server            the data of 'trendy serve'

        XDG_DATA_HOME replaces ~/.local/share, XDG_CONFIG_HOME replaces ~/.config.
        Several processes may use one store at the same time. The files that end with
        -wal and -shm belong to the store: do not delete or move them separately.

        Example:
          TRENDY_HOME=/tmp/try trendy log coffee --create-type
        """

    private static var settingsText: String {
        var lines = [
            "A flag overrides an environment variable, which overrides the configuration",
            "file, which overrides the default. The file is JSON; comments are allowed.", "",
        ]
        for setting in Setting.all {
            lines += TextWrap.lines("\(setting.key): \(setting.meaning).", columns: 78).map { "  " + $0 }
            let places = [setting.flag, setting.variable].compactMap { $0 }.joined(separator: ", ")
            lines.append("      \(places); default: \(setting.standardText)")
        }
        lines += [
            "", "Also: TRENDY_HOME ('help files'), PAGER, NO_COLOR, COLUMNS, TZ, LANG, LC_*.", "",
            "Example:", "  trendy config set timeout 30",
        ]
        return lines.joined(separator: "\n")
    }

    private static var exitCodesText: String {
        let rows = CommandStatus.allCases.map { "  " + "\($0.rawValue)".padded(toColumns: 3) + "  " + $0.meaning }
        return """
            \(rows.joined(separator: "\n"))

            The codes follow sysexits(3); 130 is the shells' code for Ctrl-C. If the code
            is not 0, standard error has one line: what happened, to what, and what to do.
            For an error in a filter, two more lines show the place.

            Example:
              trendy sync || [ $? = 69 ] && echo 'no network, later'
            """
    }
}
