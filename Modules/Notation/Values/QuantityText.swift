import Foundation
package import TrendyDomain

/// Reads numbers with units: `5km`, `5 km`, `1h30m`, `5ft 3in`.
///
/// Events store plain numbers. The unit is in the property's label or key, so that all devices know it. The first unit
/// that a person writes is added to the label of a property without one.
package struct QuantityText {
    /// The number in the unit of the property, and the new unit of a property without one.
    package struct Reading: Equatable {
        package let number: Double
        var newUnit: String?
    }

    private typealias Amount = (count: Double, unit: String)

    /// Reads a number, with or without a unit.
    ///
    /// - Throws: ``InputError`` with the accepted values, without the typed text.
    package static func read(_ text: String, as definition: PropertyDefinition) throws(InputError) -> Reading {
        let compact = text.filter { !$0.isWhitespace }
        if let number = NumberText.parse(compact) { return Reading(number: number) }
        guard let (sign, amounts) = amounts(compact) else {
            let advice = DecimalComma.advice(text).map {
                "it takes a number with a decimal point; \($0); \(DecimalComma.setting)"
            }
            throw .data(advice ?? "it takes a number, like 12.5")
        }
        if amounts.count == 1, isOwnName(amounts[0].unit, of: definition) {
            return Reading(number: sign * amounts[0].count)
        }
        for amount in amounts where QuantityUnit.all(named: amount.unit).isEmpty { throw unknown(amount, definition) }
        guard let unit = PropertyUnit(of: definition) else { return try adopting(amounts, sign) }
        for meaning in unit.meanings {
            if let total = total(amounts, in: meaning) { return Reading(number: sign * total) }
        }
        throw .data("\(misfit(amounts, unit)); write a number of \(unit.name)")
    }

    /// Splits `5ft3in` into its amounts.
    private static func amounts(_ text: String) -> (sign: Double, amounts: [Amount])? {
        var rest = DurationText.withMinutes(text)[...]
        let sign: Double = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        var found: [Amount] = []
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { !$0.isNumber && !".,-+".contains($0) }
            rest = rest.dropFirst(unit.count)
            guard !unit.isEmpty, let count = NumberText.parse(String(number)) else { return nil }
            found.append((count, String(unit)))
        }
        return found.isEmpty ? nil : (sign, found)
    }

    /// Whether the unit is the property's own name or unit: `30 pages` for `pages`, `60bpm` for `Pulse (bpm)`.
    private static func isOwnName(_ unit: String, of definition: PropertyDefinition) -> Bool {
        if let named = PropertyUnit(of: definition) { return PropertyUnit.isSame(unit, named.text) }
        return PropertyUnit.isSame(unit, definition.key) || PropertyUnit.isSame(unit, definition.label)
    }

    /// The sum in a unit; nil if an amount has another dimension.
    private static func total(_ amounts: [Amount], in unit: QuantityUnit) -> Double? {
        var total = 0.0
        for amount in amounts {
            let meanings = QuantityUnit.all(named: amount.unit)
            guard let meaning = meanings.first(where: { $0.dimension == unit.dimension }) else { return nil }
            total += meaning == unit ? amount.count : amount.count * meaning.size / unit.size
        }
        return rounded(total)
    }

    /// Rounds to twelve digits, to remove floating-point noise.
    package static func rounded(_ number: Double) -> Double {
        guard number != 0, abs(number) < 1e12 else { return number }
        let scale = pow(10, 11 - floor(log10(abs(number))))
        return scale.isFinite ? (number * scale).rounded() / scale : number
    }

    /// The sum in the smallest typed unit, which becomes the unit of the property.
    private static func adopting(_ amounts: [Amount], _ sign: Double) throws(InputError) -> Reading {
        let meanings = QuantityUnit.all(named: amounts[amounts.count - 1].unit)
        for meaning in meanings {
            if let total = total(amounts, in: meaning) {
                return Reading(number: sign * total, newUnit: meaning.symbol)
            }
        }
        throw .data("its units are of different quantities")
    }

    private static func unknown(_ amount: Amount, _ definition: PropertyDefinition) -> InputError {
        let near = Suggestion.nearest(to: amount.unit, among: QuantityUnit.spellings)
        let hint = near.map { ", did you mean '\($0)'?" } ?? ""
        let own = PropertyUnit(of: definition).map { "it is in \($0.name); " } ?? ""
        let message = "'\(amount.unit)' is not a known unit\(hint)"
        return .data(message.withHint("\(own)write a number without a unit, like 12.5"))
    }

    private static func misfit(_ amounts: [Amount], _ unit: PropertyUnit) -> String {
        let given = QuantityUnit.all(named: amounts[0].unit).map(\.dimension.rawValue)
        let wanted = unit.meanings.map(\.dimension.rawValue)
        let nature = wanted.isEmpty ? "" : " (\(wanted.joined(separator: " or ")))"
        return
            "it is in \(unit.name)\(nature), and '\(amounts[0].unit)' is a unit of \(given.joined(separator: " or "))"
    }
}

/// A property that got a unit from the first value with one.
package struct AdoptedUnit: Sendable, Hashable {
    package let before: PropertyDefinition
    package let after: PropertyDefinition
    package let unit: String

    /// The remark for the person.
    package var text: String { "; the unit of \(after.key) is now \(QuantityUnit.name(unit))" }
}
