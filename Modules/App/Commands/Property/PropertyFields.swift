import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// What a property can be told to be, by `prop add` and `prop edit` alike.
struct PropertyFields: ParsableArguments {
    @Option(name: .long, help: "The name as people read it.")
    var label: String?

    @Option(name: .long, help: "The choices of a select property, with commas between them.")
    var options: String?

    @Option(name: .customLong("default"), parsing: .unconditional, help: "The value of a new event that names none.")
    var defaultValue: String?

    /// Puts what was given into a definition.
    @MainActor
    func apply(to definition: inout PropertyDefinition, in context: CommandContext) throws {
        if let label { definition.label = try Names.checked(label) }
        if let options { definition.options = try Self.choices(options) }
        if definition.propertyType != .select && options != nil {
            throw CommandFailure.data(
                "--options is for select properties; '\(definition.key)' is \(definition.propertyType)")
        }
        if definition.propertyType == .select && (definition.options ?? []).isEmpty {
            throw CommandFailure.data(
                "'\(definition.key)' is to be a select property, which needs options to choose from; "
                    + "add them, as in --options small,large")
        }
        if let defaultValue {
            let (value, named) = try context.properties.read(defaultValue, as: definition)
            if definition.propertyType == .date { try Self.requireFixedDay(defaultValue, in: context.times) }
            if let named { definition.label = named.after.label }
            definition.defaultValue = value.value
        }
    }

    /// Refuses a day that depends on when it is said: as a default it would stay the day on which it was typed.
    private static func requireFixedDay(_ text: String, in times: WhenParser) throws(CommandFailure) {
        guard let day = times.day(text) else { return }
        // Other days, other weekdays and other years: what means the same then names its day itself.
        let isFixed = [1, 2, 400, 2000].allSatisfy { days in
            let later = WhenParser(now: times.now.advanced(bySeconds: Double(days) * 86_400), zone: times.zone)
            return later.day(text) == day
        }
        if isFixed { return }
        throw .data(
            "the default of a date is one day, and '\(text)' would stay \(day) whenever an event is logged; "
                + "if you mean that day, write --default \(day)")
    }

    /// The choices between commas, without those that are blank.
    private static func choices(_ text: String) throws -> [String] {
        let choices = try text.split(separator: ",").map { try Names.checked(String($0)) }.filter { !$0.isEmpty }
        var seen: Set<String> = []
        if let twice = choices.first(where: { !seen.insert($0).inserted }) {
            throw CommandFailure.data("--options has '\(twice)' twice; write each choice once")
        }
        return choices
    }

    /// The kind of property of that name.
    static func kind(_ text: String) throws -> PropertyType {
        let kind = PropertyType(rawValue: text.lowercased())
        if PropertyType.known.contains(kind) { return kind }
        let names = PropertyType.known.map(\.rawValue)
        let near = Suggestion.nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
        throw CommandFailure.data("'\(text)' is no kind of property; there are \(names.joined(separator: ", "))\(near)")
    }
}
