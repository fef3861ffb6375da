import Foundation
package import TrendyDomain

/// Numbers with units as people write them: `5km`, `5 km`, `1h30m`, `5ft 3in`.
///
/// Events hold bare numbers. What the number counts is what the property's label or key says, so that every device
/// reads it alike; where that names no unit, the first one that is written goes into the label.
package struct QuantityText {
    /// The number as the property counts, and the unit that its label should name from now on.
    package struct Reading: Equatable {
        package let number: Double
        var newUnit: String?
    }

    private typealias Amount = (count: Double, unit: String)

    /// Reads a number, with or without a unit.
    ///
    /// - Throws: ``InputError`` that says what the property takes; without the text that was given.
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

    /// `30 pages` is what a property `pages` counts, and `60bpm` one that is labelled `Pulse (bpm)`.
    private static func isOwnName(_ unit: String, of definition: PropertyDefinition) -> Bool {
        if let named = PropertyUnit(of: definition) { return PropertyUnit.isSame(unit, named.text) }
        return PropertyUnit.isSame(unit, definition.key) || PropertyUnit.isSame(unit, definition.label)
    }

    /// The sum in a unit; nil where one of them is of another dimension.
    private static func total(_ amounts: [Amount], in unit: QuantityUnit) -> Double? {
        var total = 0.0
        for amount in amounts {
            let meanings = QuantityUnit.all(named: amount.unit)
            guard let meaning = meanings.first(where: { $0.dimension == unit.dimension }) else { return nil }
            total += meaning == unit ? amount.count : amount.count * meaning.size / unit.size
        }
        return rounded(total)
    }

    /// Without the noise of floating-point arithmetic behind the twelfth digit.
    package static func rounded(_ number: Double) -> Double {
        guard number != 0, abs(number) < 1e12 else { return number }
        let scale = pow(10, 11 - floor(log10(abs(number))))
        return scale.isFinite ? (number * scale).rounded() / scale : number
    }

    /// The sum in the smallest unit that was written, which the property counts from now on.
    private static func adopting(_ amounts: [Amount], _ sign: Double) throws(InputError) -> Reading {
        let meanings = QuantityUnit.all(named: amounts[amounts.count - 1].unit)
        for meaning in meanings {
            if let total = total(amounts, in: meaning) {
                return Reading(number: sign * total, newUnit: meaning.symbol)
            }
        }
        throw .data("its units do not go together")
    }

    private static func unknown(_ amount: Amount, _ definition: PropertyDefinition) -> InputError {
        let near = Suggestion.nearest(to: amount.unit, among: QuantityUnit.spellings)
        let hint = near.map { ", did you mean '\($0)'?" } ?? ""
        let own = PropertyUnit(of: definition).map { "it is in \($0.name); " } ?? ""
        let message = "'\(amount.unit)' is no unit that is known here\(hint)"
        return .data(message.withHint("\(own)write a number alone, like 12.5"))
    }

    private static func misfit(_ amounts: [Amount], _ unit: PropertyUnit) -> String {
        let given = QuantityUnit.all(named: amounts[0].unit).map(\.dimension.rawValue)
        let wanted = unit.meanings.map(\.dimension.rawValue)
        let nature = wanted.isEmpty ? "" : " (\(wanted.joined(separator: " or ")))"
        return
            "it is in \(unit.name)\(nature), and '\(amounts[0].unit)' is a unit of \(given.joined(separator: " or "))"
    }
}

/// A property whose label names its unit from now on, because the first value with a unit was written.
package struct NamedUnit: Sendable, Hashable {
    package let before: PropertyDefinition
    package let after: PropertyDefinition
    package let unit: String

    /// What a person is told of it.
    package var text: String { "; \(after.key) is in \(QuantityUnit.name(unit)) from now on" }
}
