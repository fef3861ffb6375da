/// The English names of days and months, with their short forms.
enum CalendarNames {
    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The day of the week of a word in lower case, 0 for Monday.
    static func weekday(_ word: Substring) -> Int? { index(of: word, in: weekdays, longest: 5) }

    /// The month of a word in lower case, 1 for January.
    static func month(_ word: Substring) -> Int? { index(of: word, in: months, longest: 4).map { $0 + 1 } }

    /// The whole name of a month, 1 for January.
    static func name(ofMonth month: Int) -> String {
        let name = months[month - 1]
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Matches the full name or a usual short form of at least three letters: `tue`, `thurs`, `sept`.
    private static func index(of word: Substring, in names: [String], longest: Int) -> Int? {
        let plain = word.hasSuffix(".") || word.hasSuffix(",") ? word.dropLast() : word
        return names.firstIndex { name in
            name == plain || ((3...longest).contains(plain.count) && name.hasPrefix(plain))
        }
    }
}
