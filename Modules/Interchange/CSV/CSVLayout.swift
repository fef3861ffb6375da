package import TrendyDomain
package import TrendyNotation

/// The layout of a CSV file: the delimiter, and the roles of the columns.
@MainActor
package struct CSVLayout {
    package var delimiter: UInt8
    package var columns: ImportColumns.Request
    /// The columns that are not read, if the layout was guessed.
    var unused: [String] = []
    /// Whether the file is an export of Trendy.
    private let isOwnExport: Bool
    /// How numeric dates are read.
    package let dates: DateOrderFinding
    /// Whether the events are all-day events because the times have no time of day.
    private let days: DayColumns.Finding

    /// Guesses the layout, as far as it was not given.
    ///
    /// - Parameters:
    ///   - delimiter: The delimiter; nil to guess it.
    ///   - columns: The given columns.
    ///   - times: The reader of times, with the given order of dates.
    ///   - known: The properties of the store.
    package init(
        of file: some RereadableFile, delimiter: UInt8?, columns: ImportColumns.Request, times: ColumnTimes,
        known: KnownProperties
    ) throws {
        let best = try Self.best(of: file, delimiter: delimiter, naming: columns.named)
        let hasDecimalCommas = known.values.decimal.isComma(inFileWith: best.delimiter)
        let plainTimes = ColumnTimes(times: times.times, order: times.order)
        try MissingHeader(names: best.names, rows: best.rows, times: plainTimes, delimiter: best.delimiter)
            .refuse(beside: columns.named)
        var guess = ColumnGuess(
            names: best.names, rows: best.rows, times: plainTimes, hasDecimalCommas: hasDecimalCommas)
        self.delimiter = best.delimiter
        self.columns = try guess.complete(columns, fallbackType: file.stem)
        self.columns.known = try guess.knownProperties(self.columns, known)
        self.columns.kinds = best.kinds(of: columns.properties, hasDecimalCommas)
        unused = guess.unused
        isOwnExport = ExportedColumns(best.names) != nil
        dates = try DateOrderFinding(
            in: file, delimiter: best.delimiter, columns: self.columns.times, asked: times.order, times: times)
        var ordered = times
        ordered.order = dates.order
        var request = self.columns
        days = try DayColumns(times: ordered).complete(&request, of: file, delimiter: best.delimiter)
        self.columns = request
    }

    /// The guessed column with permanent ids of the rows.
    package static func idColumn(of file: some RereadableFile, delimiter: UInt8, times: ColumnTimes) throws -> String? {
        let sample = try Self.sample(of: file, delimiter: delimiter)
        return ColumnGuess(names: sample.names, rows: sample.rows, times: times).idColumn()
    }

    /// The columns that are not read, if the person named the columns; none for an export of Trendy.
    package static func leftOut(
        of file: some RereadableFile, delimiter: UInt8, columns: ImportColumns.Request
    ) throws -> [String] {
        let names = try sample(of: file, delimiter: delimiter).names
        if ExportedColumns(names) != nil { return [] }
        let used = Set(columns.named.map { Names.trimmed($0).lowercased() })
        return names.filter { !$0.isEmpty && !used.contains($0.lowercased()) }
    }

    /// The kinds of properties by their keys, guessed from the values.
    ///
    /// - Parameter decimal: The decimal separator of the person.
    package static func kinds(
        of properties: [(key: String, column: String)], in file: some RereadableFile, delimiter: UInt8,
        decimal: DecimalSign
    ) throws -> [String: PropertyType] {
        if properties.isEmpty { return [:] }
        let hasDecimalCommas = decimal.isComma(inFileWith: delimiter)
        return try sample(of: file, delimiter: delimiter).kinds(of: properties, hasDecimalCommas)
    }

    /// The delimiter of a file.
    ///
    /// - Parameter columns: The given columns.
    /// - Throws: ``InputError`` if the first line cannot be read.
    package static func delimiter(of file: some RereadableFile, columns: ImportColumns.Request) throws -> UInt8 {
        try best(of: file, delimiter: nil, naming: columns.named).delimiter
    }

    /// The beginning of a file, read with a certain delimiter.
    private struct Sample {
        var delimiter: UInt8
        var names: [String]
        var rows: [[String]]

        /// How many of these columns it has, ignoring case.
        func count(of columns: [String]) -> Int {
            let present = Set(names.map { $0.lowercased() })
            return columns.count { present.contains(Names.trimmed($0).lowercased()) }
        }

        /// The kinds of properties by their keys, guessed from the values.
        func kinds(
            of properties: [(key: String, column: String)], _ hasDecimalCommas: Bool
        ) -> [String: PropertyType] {
            var kinds: [String: PropertyType] = [:]
            for (key, column) in properties {
                let wanted = Names.trimmed(column)
                let folded = wanted.lowercased()
                let index = names.firstIndex(of: wanted) ?? names.firstIndex(where: { $0.lowercased() == folded })
                if let index { kinds[key] = ColumnKind.of(rows.map { $0[index] }, hasDecimalCommas: hasDecimalCommas) }
            }
            return kinds
        }
    }

    /// The beginning of a file, read with the best delimiter: the one that splits the first line into the most fields.
    ///
    /// - Parameters:
    ///   - delimiter: The given delimiter; nil to try that of the file's `sep=` line, or all usual ones.
    ///   - columns: The given columns, which must exist.
    /// - Throws: ``InputError`` if the first line cannot be read with any delimiter.
    private static func best(of file: some RereadableFile, delimiter: UInt8?, naming columns: [String]) throws -> Sample
    {
        let only = try delimiter ?? Self.ownDelimiter(of: file)
        let candidates: [UInt8] = only.map { [$0] } ?? [0x2C, 0x3B, 0x09, 0x7C]
        var best: (named: Int, sample: Sample)?
        var failure: (any Error)?
        for candidate in candidates {
            do {
                let sample = try Self.sample(of: file, delimiter: candidate)
                let named = sample.count(of: columns)
                let isBetter = best.map { (named, sample.names.count) > ($0.named, $0.sample.names.count) } ?? true
                if isBetter { best = (named, sample) }
            } catch {
                // With quoted names, a wrong delimiter is an error: text after a closing quote.
                failure = failure ?? error
            }
        }
        if let best { return best.sample }
        throw failure ?? InputError.usage("--delimiter takes one character like ';', or 'tab'")
    }

    /// The delimiter in the file's `sep=` line.
    private static func ownDelimiter(of file: some RereadableFile) throws -> UInt8? {
        var csv = CSVReader(try file.source())
        return try csv.ownDelimiter()
    }

    private static func sample(of file: some RereadableFile, delimiter: UInt8) throws -> Sample {
        var csv = CSVReader(try file.source(), delimiter: delimiter)
        let header = try csv.header()
        guard let names = ImportColumns.names(header) else {
            throw InputError.data(
                "line \(header.line): the names of the columns are not UTF-8; save the file as UTF-8: "
                    + RowError.conversion)
        }
        var rows: [[String]] = []
        var looked = 0
        while looked < ColumnGuess.sampleSize, let next = try csv.next() {
            looked += 1
            guard case .success(let row) = next, row.count == names.count else { continue }
            let fields = (0..<row.count).compactMap { row.text($0) }
            if fields.count == names.count { rows.append(fields) }
        }
        return Sample(delimiter: delimiter, names: names, rows: rows)
    }

    /// The text on all-day events: the column, or the value for all rows.
    private var allDay: String? {
        if case .unreadClocks = days { return days.remark }
        guard let column = columns.allDay, column.hasPrefix("=") else { return columns.allDay }
        return "'\(column.dropFirst())' for all rows" + (days == .days ? ", which have no time of day" : "")
    }

    /// The layout for people, one line per column.
    package var facts: [(name: String, value: String?)] {
        var facts: [(name: String, value: String?)] = [
            ("time", columns.clock.map { "\(columns.time) and \($0)" } ?? columns.time),
            ("type", columns.type.hasPrefix("=") ? "'\(columns.type.dropFirst())' for all rows" : columns.type),
            ("until", columns.untilClock.map { "\(columns.until ?? "") and \($0)" } ?? columns.until),
            ("note", columns.note), ("id", columns.id), ("all day", allDay),
            ("location", columns.location), ("lat", columns.lat), ("lon", columns.lon),
        ]
        for (key, column) in columns.properties {
            let kind = columns.kinds[key].map { " (\($0) where it is new)" } ?? ""
            facts.append(("property \(key)", column + kind))
        }
        for (key, column) in columns.known { facts.append(("property \(key)", column)) }
        facts.append(("properties", columns.typedProperties))
        facts.append(("origin", isOwnExport ? ExportedColumns.names.joined(separator: ", ") : nil))
        facts.append(("dates", dates.text))
        facts.append(("not used", unused.isEmpty ? nil : unused.joined(separator: ", ")))
        if delimiter != 0x2C {
            facts.append(("between", delimiter == 0x09 ? "tab" : String(UnicodeScalar(delimiter))))
        }
        return facts
    }
}
