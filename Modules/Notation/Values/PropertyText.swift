package import TrendyDomain

/// Reads and writes property values.
package struct PropertyText: Sendable {
    package let times: WhenParser
    /// What a person writes before fractions.
    package let decimal: DecimalSign

    package init(times: WhenParser, decimal: DecimalSign = .point) {
        self.times = times
        self.decimal = decimal
    }

    /// Reads a value of a file; a duration without a unit is in seconds.
    ///
    /// - Throws: ``InputError`` with the accepted values.
    package func parse(_ text: String, as definition: PropertyDefinition) throws(InputError) -> PropertyValue {
        if definition.propertyType == .duration { return try duration(text, of: definition, in: nil) }
        let (value, named) = try read(text, as: definition)
        guard let named else { return value }
        throw .data(
            "the property '\(definition.key)' has no unit, so '\(text)' is ambiguous; set the unit with "
                + "'trendy prop edit TYPE \(quoted(definition.key)) --label \(quoted(named.after.label))'")
    }

    /// Reads a value that a person typed. A number can set the unit of a property without one. A duration without a unit is
    /// in the unit of the label or key.
    ///
    /// - Returns: The value, and the definition if it got a unit.
    /// - Throws: ``InputError`` with the accepted values.
    package func read(
        _ text: String, as definition: PropertyDefinition
    ) throws(InputError) -> (value: PropertyValue, unit: AdoptedUnit?) {
        if definition.propertyType == .duration {
            return (try duration(decimal.withPoint(text), of: definition, in: PropertyUnit.ofTime(definition)), nil)
        }
        guard definition.propertyType == .number else { return (try plain(text, as: definition), nil) }
        let reading: QuantityText.Reading
        do { reading = try QuantityText.read(decimal.withPoint(text), as: definition) } catch {
            throw .data("'\(text)' does not fit the property '\(definition.key)': \(error.message)")
        }
        guard let unit = reading.newUnit else { return (.number(reading.number), nil) }
        var after = definition
        after.label = "\(definition.label) (\(unit))"
        return (.number(reading.number), AdoptedUnit(before: definition, after: after, unit: unit))
    }

    private func plain(_ text: String, as definition: PropertyDefinition) throws(InputError) -> PropertyValue {
        let wrong = { (what: String) in
            InputError.data("'\(text)' does not fit the property '\(definition.key)': it takes \(what)")
        }
        switch definition.propertyType {
        case .text:
            return .text(text)
        case .boolean:
            guard let flag = Self.boolean(text) else { throw wrong("yes or no") }
            return .boolean(flag)
        case .date:
            guard let day = times.day(text) else {
                throw wrong("a day without a time of day, like 2026-11-20, 'nov 20', yesterday or 'mon'")
            }
            return .day(day)
        case .select:
            return .select(try option(text, of: definition))
        case .url:
            guard Self.isURL(text) else { throw wrong("a URL, like https://example.org") }
            return .url(text)
        case .email:
            guard Self.isEmail(text) else { throw wrong("an e-mail address") }
            return .email(text)
        default:
            throw .data(
                "the property '\(definition.key)' is of the kind '\(definition.propertyType)', which this version cannot write; update Trendy"
            )
        }
    }

    /// Reads a duration.
    ///
    /// - Parameter unit: The unit of a number without one; nil for seconds.
    private func duration(
        _ text: String, of definition: PropertyDefinition, in unit: QuantityUnit?
    ) throws(InputError) -> PropertyValue {
        guard let seconds = DurationText.parse(text) else {
            throw .data(
                "'\(text)' does not fit the property '\(definition.key)': it takes a duration, like 1h30m or 90 "
                    + "(\(unit?.symbol ?? "seconds"))")
        }
        let isAlone = NumberText.parse(text.filter { !$0.isWhitespace }) != nil
        return .duration(isAlone ? seconds * (unit?.size ?? 1) : seconds)
    }

    private func option(_ text: String, of definition: PropertyDefinition) throws(InputError) -> String {
        let options = definition.options ?? []
        if options.contains(text) { return text }
        let same = options.filter { Names.areSame($0, text) }
        if same.count == 1 { return same[0] }
        let near = Suggestion.nearest(to: text, among: options).map { "; did you mean '\($0)'?" } ?? ""
        throw .data(
            "'\(text)' is not an option of the property '\(definition.key)': choose one of "
                + "\(options.joined(separator: ", "))\(near)")
    }

    /// The truth value of a text; nil for other texts.
    package static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "y", "on", "1": true
        case "false", "no", "n", "off", "0": false
        default: nil
        }
    }

    private static func isURL(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let first = parts[0].first, first.isASCII, first.isLetter else { return false }
        return !parts[1].isEmpty && !text.contains(where: \.isWhitespace)
    }

    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !text.contains(where: \.isWhitespace)
    }

    /// The text of a value.
    package func text(_ value: PropertyValue) -> String {
        switch value {
        case .text(let text), .select(let text), .url(let text), .email(let text): text
        case .number(let number): NumberText.text(number)
        case .boolean(let flag): flag ? "yes" : "no"
        case .date: times.dayText(value) ?? ""
        case .duration(let seconds): DurationText.text(seconds)
        case .other(_, .string(let text)): times.dayText(value) ?? text
        case .other(_, let value): Self.raw(value)
        }
    }

    /// The text of the default value; empty if there is none.
    package func defaultText(of definition: PropertyDefinition) -> String {
        guard let value = definition.defaultValue, value != .null else { return "" }
        return text(PropertyValue(type: definition.propertyType, value: value))
    }

    /// Whether the default value fits the definition, or there is none.
    package func takesDefault(of definition: PropertyDefinition) -> Bool {
        guard let value = definition.defaultValue, value != .null else { return true }
        switch PropertyValue(type: definition.propertyType, value: value) {
        case .other: return false
        case .select(let text): return definition.options?.contains(text) == true
        case .url(let text): return Self.isURL(text)
        case .email(let text): return Self.isEmail(text)
        default: return true
        }
    }

    private static func raw(_ value: JSONValue) -> String {
        guard let data = try? WireCoding.encode(value) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }
}
