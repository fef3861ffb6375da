import ArgumentParser
import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

struct PropertyEditCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a property of a type.",
        discussion: "Example:\n  trendy prop edit coffee size --options small,medium,large")

    @Argument(help: "The type: a name or an id.")
    var type: String

    @Argument(help: "The property: a key or an id.")
    var key: String

    @Option(name: .long, help: "The new kind. The values in events are not changed.")
    var kind: String?

    @OptionGroup var fields: PropertyFields

    @Flag(name: .long, help: "Remove the default value.")
    var clearDefault = false

    @Option(name: .long, help: "The position among the properties of the type.")
    var order: Int?

    @OptionGroup var common: CommonOptions

    func check() throws {
        if kind == nil, fields.label == nil, fields.options == nil, fields.defaultValue == nil, !clearDefault,
            order == nil
        {
            throw CommandFailure.usage(
                "nothing to change: give --label, --kind, --options, --default, --clear-default or --order")
        }
        if clearDefault && fields.defaultValue != nil {
            throw CommandFailure.usage("--default and --clear-default cannot be used together")
        }
    }

    func run(in context: CommandContext) async throws {
        let type = try context.lookup.type(type).entity
        let before = try context.lookup.property(key, of: type).entity
        var definition = before
        if let kind {
            definition.propertyType = try PropertyFields.kind(kind)
            if definition.propertyType != .select { definition.options = nil }
        }
        if clearDefault { definition.defaultValue = nil }
        if let order { definition.displayOrder = order }
        try fields.apply(to: &definition, in: context)
        let isKept = fields.defaultValue == nil && !clearDefault
        let byDefault = PropertyDefault(before: before, properties: context.properties)
        if isKept { try byDefault.requireFitting(definition) }
        let told = byDefault.convert(in: &definition, isKept: isKept)
        let after = definition
        try await context.store.perform { try $0.change(before, to: after, named: before.key) }
        try context.say(
            "changed property \(after.key) of \(type.name) (\(ShortId.of(after.id)))\(told)",
            record: PropertyDefinition.self, id: after.id)
    }
}

/// Checks and converts the default value when a property is changed.
struct PropertyDefault {
    let before: PropertyDefinition
    let properties: PropertyText

    /// Refuses a change after which the default would not fit the property.
    func requireFitting(_ after: PropertyDefinition) throws(CommandFailure) {
        // A wrong default from a sync must not block an unrelated edit.
        let isTouched = after.propertyType != before.propertyType || after.options != before.options
        guard isTouched, !properties.takesDefault(of: after) else { return }
        let fact = "the default '\(properties.defaultText(of: before))' of '\(before.key)'"
        guard after.propertyType == .select, let options = after.options, let first = options.first else {
            throw .data(
                "\(fact) does not fit the kind \(after.propertyType); give another one with --default, "
                    + "or remove it with --clear-default")
        }
        throw .data(
            "\(fact) is not one of the options (\(options.joined(separator: ", "))); choose one, "
                + "as in --default \(quoted(first)), or remove it with --clear-default")
    }

    /// Converts the default if the new label has another unit.
    ///
    /// - Parameter isKept: Whether the default was not given or cleared.
    /// - Returns: A remark on the unit; empty if it is the same.
    func convert(in after: inout PropertyDefinition, isKept: Bool) -> String {
        guard before.propertyType == .number, after.propertyType == .number, let old = PropertyUnit(of: before),
            let new = PropertyUnit(of: after), !old.meanings.isEmpty, !new.meanings.isEmpty,
            old.meanings != new.meanings
        else { return "" }
        let told = "; the unit of \(after.key) is now \(new.name)"
        let rest = "; existing values are not converted"
        guard isKept, let number = before.defaultValue?.doubleValue else { return told + rest }
        let was = "the default \(NumberText.text(number)) \(old.name)"
        guard let factor = Self.factor(old, new) else {
            return "\(told), and \(was) is \(NumberText.text(number)) \(new.name) now" + rest
        }
        let converted = QuantityText.rounded(number * factor)
        after.defaultValue = PropertyValue.number(converted).value
        return "\(told), and \(was) is \(NumberText.text(converted)) \(new.name) now" + rest
    }

    /// The factor from the old to the new unit; nil if they measure different quantities.
    private static func factor(_ old: PropertyUnit, _ new: PropertyUnit) -> Double? {
        for unit in old.meanings {
            if let other = new.meanings.first(where: { $0.dimension == unit.dimension }) {
                return unit.size / other.size
            }
        }
        return nil
    }
}

/// The fields that `prop add` and `prop edit` set.
struct PropertyFields: ParsableArguments {
    @Option(name: .long, help: "The name to show; it may have a unit: 'Distance (km)'.")
    var label: String?

    @Option(name: .long, help: "The choices of a select property, separated by commas.")
    var options: String?

    @Option(name: .customLong("default"), parsing: .unconditional, help: "The default value for new events.")
    var defaultValue: String?

    /// Sets the given fields of a definition.
    @MainActor
    func apply(to definition: inout PropertyDefinition, in context: CommandContext) throws {
        if let label { definition.label = try Names.checked(label) }
        if let options { definition.options = try Self.choices(options) }
        if definition.propertyType != .select && options != nil {
            throw CommandFailure.data(
                "--options is only for select properties; the kind of '\(definition.key)' is \(definition.propertyType)"
            )
        }
        if definition.propertyType == .select && (definition.options ?? []).isEmpty {
            throw CommandFailure.data(
                "the select property '\(definition.key)' needs options; "
                    + "add them, as in --options small,large")
        }
        if let defaultValue {
            let (value, named) = try context.properties.read(defaultValue, as: definition)
            if definition.propertyType == .date { try Self.requireFixedDay(defaultValue, in: context.times) }
            if let named { definition.label = named.after.label }
            definition.defaultValue = value.value
        }
    }

    /// Refuses a relative day: as a default, 'today' would stay the day on which it was typed.
    private static func requireFixedDay(_ text: String, in times: WhenParser) throws(CommandFailure) {
        guard let day = times.day(text) else { return }
        // A text is absolute if it means the same day when read on other days, weekdays and years.
        let isFixed = [1, 2, 400, 2000].allSatisfy { days in
            let moment = times.now.advanced(bySeconds: Double(days) * 86_400)
            let later = WhenParser(now: moment, zone: times.zone, weekStart: times.weekStart)
            return later.day(text) == day
        }
        if isFixed { return }
        throw .data(
            "the default of a date must be a fixed day, and '\(text)' would always mean \(day); "
                + "if you want that day, write --default \(day)")
    }

    /// The choices between commas, without empty ones.
    private static func choices(_ text: String) throws -> [String] {
        let choices = try text.split(separator: ",").map { try Names.checked(String($0)) }.filter { !$0.isEmpty }
        var seen: Set<String> = []
        if let twice = choices.first(where: { !seen.insert($0).inserted }) {
            throw CommandFailure.data("--options has '\(twice)' twice; write each choice once")
        }
        return choices
    }

    static func kind(_ text: String) throws -> PropertyType {
        let kind = PropertyType(rawValue: text.lowercased())
        if PropertyType.known.contains(kind) { return kind }
        let names = PropertyType.known.map(\.rawValue)
        let near = Suggestion.nearest(to: text, among: names).map { "; did you mean '\($0)'?" } ?? ""
        throw CommandFailure.data(
            "'\(text)' is not a kind of property; use one of \(names.joined(separator: ", "))\(near)")
    }
}
