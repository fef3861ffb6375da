import TrendyDomain
import TrendyNotation
import TrendyTerminal

/// What becomes of a property's default value when the property is changed.
struct PropertyDefault {
    let before: PropertyDefinition
    let properties: PropertyText

    /// Refuses a change after which the property would not take its own default, of which nothing was said.
    func requireFitting(_ after: PropertyDefinition) throws(CommandFailure) {
        // What came by sync is not refused for an edit that has nothing to do with it.
        let isTouched = after.propertyType != before.propertyType || after.options != before.options
        guard isTouched, !properties.takesDefault(of: after) else { return }
        let fact = "the default '\(properties.defaultText(of: before))' of '\(before.key)'"
        guard after.propertyType == .select, let options = after.options, let first = options.first else {
            throw .data(
                "\(fact) is no value of the kind \(after.propertyType); give another one with --default, "
                    + "or take it away with --clear-default")
        }
        throw .data(
            "\(fact) is none of the options (\(options.joined(separator: ", "))); choose one, "
                + "as in --default \(quoted(first)), or take it away with --clear-default")
    }

    /// Converts the default where the label names another unit from now on.
    ///
    /// - Parameter isKept: Whether nothing else was said about the default.
    /// - Returns: What a person is told of the units; empty where they are as before.
    func convert(in after: inout PropertyDefinition, isKept: Bool) -> String {
        guard before.propertyType == .number, after.propertyType == .number, let old = PropertyUnit(of: before),
            let new = PropertyUnit(of: after), !old.meanings.isEmpty, !new.meanings.isEmpty,
            old.meanings != new.meanings
        else { return "" }
        let told = "; \(after.key) is in \(new.name) from now on"
        let rest = "; values logged before stay as they are"
        guard isKept, let number = before.defaultValue?.doubleValue else { return told + rest }
        let was = "the default \(NumberText.text(number)) \(old.name)"
        guard let factor = Self.factor(old, new) else {
            return "\(told), and \(was) is \(NumberText.text(number)) \(new.name) now" + rest
        }
        let converted = QuantityText.rounded(number * factor)
        after.defaultValue = PropertyValue.number(converted).value
        return "\(told), and \(was) is \(NumberText.text(converted)) \(new.name) now" + rest
    }

    /// How many of the new unit the old one is; nil where they are of different quantities.
    private static func factor(_ old: PropertyUnit, _ new: PropertyUnit) -> Double? {
        for unit in old.meanings {
            if let other = new.meanings.first(where: { $0.dimension == unit.dimension }) {
                return unit.size / other.size
            }
        }
        return nil
    }
}
