import TrendyDomain
import TrendyNotation
import TrendyReport
import TrendyTerminal

// The conditions on properties, each in its own kind and unit.

extension QueryResolver {
    static let propertyPrefix = "prop."

    /// The condition of a comparison of a property. The same value can be different numbers in types with different
    /// units.
    mutating func property(_ comparison: QueryComparison, in scope: Set<String>?) throws -> EventCondition {
        let text = comparison.key.text
        let isPrefixed = !comparison.key.isLiteral && text.lowercased().hasPrefix(Self.propertyPrefix)
        let key = isPrefixed ? String(text.dropFirst(Self.propertyPrefix.count)) : text
        let definitions = vocabulary.definitions(of: key, in: scope)
        guard !definitions.isEmpty else { throw unknown(key, comparison, in: scope) }
        var tests: [(key: String, test: PropertyTest, types: Set<String>)] = []
        var failure: QueryFailure?
        var isOpposite = false
        for definition in definitions {
            do {
                let (test, opposite) = try test(comparison, definition)
                isOpposite = opposite
                if case .number = test { noteMeasured(definition) }
                if let place = tests.firstIndex(where: { $0.key == definition.key && $0.test == test }) {
                    tests[place].types.insert(definition.eventTypeId)
                } else {
                    tests.append((definition.key, test, [definition.eventTypeId]))
                }
            } catch let wrong as QueryFailure { failure = failure ?? wrong }
        }
        if tests.isEmpty, let failure { throw failure }
        let types = tests.reduce(into: Set<String>()) { $0.formUnion($1.types) }
        let met = tests.map { part in
            let condition = EventCondition.property(key: part.key, part.test)
            return tests.count == 1 ? condition : .all([.type(in: part.types), condition])
        }
        let any = met.count == 1 ? met[0] : .any(met)
        let condition = isOpposite ? EventCondition.not(any) : any
        return scope == types ? condition : .all([.type(in: types), condition])
    }

    private func unknown(_ key: String, _ comparison: QueryComparison, in scope: Set<String>?) -> QueryFailure {
        let keys = vocabulary.keys(in: scope)
        let names = vocabulary.types.filter { scope?.contains($0.id) ?? true }.map(\.name)
        let fields = QueryField.allCases.map(\.rawValue)
        let near = Suggestion.nearest(to: key, among: keys + fields).map { "; did you mean '\($0)'?" }
        let has = keys.isEmpty ? "none" : keys.prefix(12).joined(separator: ", ") + (keys.count > 12 ? ", …" : "")
        let message: String
        if scope == nil {
            message = "no type has a property '\(key)'" + (near ?? "; use one of \(has) ('trendy help filters')")
        } else if names.count == 1 {
            message = "the type '\(names[0])' has no property '\(key)'" + (near ?? "; it has \(has)")
        } else {
            message = "none of these types has a property '\(key)'" + (near ?? "; they have \(has)")
        }
        return QueryFailure(message: message, range: comparison.key.range, status: .data)
    }

    /// The test of a property's value, and whether it is negated.
    private func test(
        _ comparison: QueryComparison, _ definition: PropertyDefinition
    ) throws -> (PropertyTest, isOpposite: Bool) {
        let value = comparison.value
        if value.text.isEmpty, !value.isLiteral {
            switch comparison.sign {
            case .equal, .same, .colon: return (.isPresent, true)
            case .notEqual: return (.isPresent, false)
            default:
                throw QueryFailure(
                    message: "'\(comparison.sign.rawValue)' needs a value after it", range: comparison.range)
            }
        }
        switch definition.propertyType {
        case .number, .duration: return try number(comparison, definition)
        case .date: return try date(comparison, definition)
        case .boolean:
            let isOpposite = try equality(comparison, definition)
            guard let flag = PropertyText.boolean(value.text) else {
                let message = "'\(value.text)' does not fit the property '\(definition.key)': write yes or no"
                throw QueryFailure(message: message, range: value.range, status: .data)
            }
            return (.boolean(flag), isOpposite)
        default: return try text(comparison, definition)
        }
    }

    private func number(
        _ comparison: QueryComparison, _ definition: PropertyDefinition
    ) throws -> (PropertyTest, isOpposite: Bool) {
        guard let (test, isOpposite) = comparison.sign.number else { throw noText(comparison, definition) }
        let number = try at(comparison.value.range) {
            let (value, unit) = try vocabulary.properties.read(comparison.value.text, as: definition)
            if let unit {
                throw CommandFailure.data(
                    "the property '\(definition.key)' has no unit, so '\(comparison.value.text)' is ambiguous: write a "
                        + "number without a unit, or set the unit with 'trendy prop edit TYPE \(quoted(definition.key)) --label "
                        + "\(quoted(unit.after.label))'")
            }
            return value.statisticalValue ?? .nan
        }
        return (.number(test, number), isOpposite)
    }

    private func date(
        _ comparison: QueryComparison, _ definition: PropertyDefinition
    ) throws -> (PropertyTest, isOpposite: Bool) {
        let (times, zone) = (vocabulary.times, vocabulary.zone)
        guard let (test, isOpposite) = comparison.sign.number else { throw noText(comparison, definition) }
        let text = comparison.value.text
        let first: CalendarDay
        let next: CalendarDay
        if let period = times.period(text) {
            first = zone.day(of: zone.moment(period.start))
            next = zone.day(of: zone.moment(period.end))
        } else {
            let value = try at(comparison.value.range) { try vocabulary.properties.parse(text, as: definition) }
            guard let day = value.day else {
                throw QueryFailure(message: "'\(text)' is not a day", range: comparison.value.range, status: .data)
            }
            (first, next) = (day, day.advanced(by: 1))
        }
        let interval =
            switch test {
            case .equal: DayInterval(since: first, until: next, in: zone)
            case .less: DayInterval(since: nil, until: first, in: zone)
            case .atMost: DayInterval(since: nil, until: next, in: zone)
            case .more: DayInterval(since: next, until: nil, in: zone)
            case .atLeast: DayInterval(since: first, until: nil, in: zone)
            }
        return (.date(interval), isOpposite)
    }

    private func text(
        _ comparison: QueryComparison, _ definition: PropertyDefinition
    ) throws -> (PropertyTest, isOpposite: Bool) {
        let value = comparison.value.text
        guard let search = TextSearch(value) else { return (.text(.isMissing), comparison.sign == .notEqual) }
        switch comparison.sign {
        case .contains: return (.text(.contains(search)), false)
        case .notContains: return (.text(.contains(search)), true)
        default: break
        }
        let isOpposite = try equality(comparison, definition)
        if definition.propertyType == .select {
            _ = try at(comparison.value.range) { try vocabulary.properties.parse(value, as: definition) }
        }
        return (.text(.equals(search)), isOpposite)
    }

    /// Whether the comparison is negated; refuses `<` and the like.
    private func equality(_ comparison: QueryComparison, _ definition: PropertyDefinition) throws -> Bool {
        switch comparison.sign {
        case .equal, .same, .colon: return false
        case .notEqual: return true
        case .contains, .notContains: throw noText(comparison, definition)
        case .less, .more, .atMost, .atLeast:
            let others = definition.propertyType == .boolean ? "" : ", '~' for a part of it"
            throw QueryFailure(
                message:
                    "'\(comparison.sign.rawValue)' is for numbers, durations and dates, and the property "
                    + "'\(definition.key)' is a \(definition.propertyType): use '=' or '!='\(others)",
                range: comparison.sign(in: source), status: .data)
        }
    }

    private func noText(_ comparison: QueryComparison, _ definition: PropertyDefinition) -> QueryFailure {
        QueryFailure(
            message: "'\(comparison.sign.rawValue)' is for texts, and the property '\(definition.key)' is a "
                + "\(definition.propertyType); use '=', '!='"
                + (definition.propertyType == .boolean ? "" : ", '<', '<=', '>' or '>='"),
            range: comparison.sign(in: source), status: .data)
    }
}
