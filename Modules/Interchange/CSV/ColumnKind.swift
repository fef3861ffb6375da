package import TrendyDomain
package import TrendyNotation

/// Finds out of what kind a property is, by the values that a column of a CSV file has for it.
enum ColumnKind {
    /// The kind that takes all of these values as they are written; text where no other does, or none is there.
    ///
    /// - Parameter hasDecimalCommas: Whether `7,5` is a number in the file; where one value is like that, so is `1,234`,
    ///   which is a bad row rather than text.
    static func of(_ values: [String], hasDecimalCommas: Bool = false) -> PropertyType {
        let filled = values.filter { !$0.isEmpty }
        if filled.isEmpty { return .text }
        if filled.allSatisfy(isNumber) { return .number }
        if hasDecimalCommas, filled.contains(where: DecimalComma.isCertain),
            filled.allSatisfy({ isNumber(DecimalComma.withPoint($0)) })
        {
            return .number
        }
        let lengths = filled.map(ISODuration.plain)
        if lengths.allSatisfy({ DurationText.parse($0) != nil }), filled.contains(where: namesTime) { return .duration }
        return filled.allSatisfy { PropertyText.boolean($0) != nil } ? .boolean : .text
    }

    private static func isNumber(_ text: String) -> Bool {
        NumberText.parse(text.filter { !$0.isWhitespace }) != nil
    }

    /// Whether a length of time can be nothing else: `400m` may be meters.
    private static func namesTime(_ text: String) -> Bool {
        !text.lowercased().allSatisfy { $0.isNumber || $0.isWhitespace || $0 == "." || $0 == "," || $0 == "m" }
    }
}

/// The properties that the types here have already, for columns of a CSV file that are named like them.
@MainActor
package struct KnownProperties {
    package let types: any ImportableTypes
    package let values: PropertyText

    package init(types: any ImportableTypes, values: PropertyText) {
        self.types = types
        self.values = values
    }

    /// The property with this key, whatever its case, of the type of that name; nil where there is none.
    package func definition(_ key: String, ofType name: String) throws -> PropertyDefinition? {
        guard let type = try? types.type(named: name) else { return nil }
        return try types.present(key, of: type)
    }

    /// Whether the property can have the value that a field writes.
    package func takes(_ field: String, _ definition: PropertyDefinition, hasDecimalCommas: Bool) -> Bool {
        let text =
            switch definition.propertyType {
            case .number where hasDecimalCommas: DecimalComma.withPoint(field)
            case .duration: ISODuration.plain(field)
            default: field
            }
        return (try? values.parse(text, as: definition)) != nil
    }
}

/// Finds out whether a CSV file begins with a row of data where the names of its columns belong.
@MainActor
struct MissingNames {
    /// What the first line has.
    let names: [String]
    /// Some rows with as many fields.
    let rows: [[String]]
    let times: ColumnTimes
    /// What is between the fields.
    let delimiter: UInt8

    /// Refuses a file without names: its first row would be lost.
    ///
    /// - Parameter named: The columns that the person names, which are meant whatever they are called.
    /// - Throws: ``InputError`` where a time stands for a name, above more times.
    func refuse(beside named: [String]) throws {
        let meant = Set(named.map(Names.trimmed))
        guard let index = names.indices.first(where: { !meant.contains(names[$0]) && isData($0) }) else { return }
        throw InputError.data(
            "the first line has data (\(names[index])), not names of columns; put a line like \(example) above it")
    }

    /// Tables that have a column for each day have days for names, too, but no times below them.
    private func isData(_ index: Int) -> Bool {
        guard isFullTime(names[index]) else { return false }
        let filled = rows.map { Names.trimmed($0[index]) }.filter { !$0.isEmpty }
        if filled.isEmpty { return rows.isEmpty }
        return filled.count(where: isFullTime) * 2 >= filled.count
    }

    private func isFullTime(_ text: String) -> Bool {
        !ClockTime.isAlone(in: text) && times.canBeMoment(text)
    }

    private var example: String {
        let names = ["time", "type", "note"]
        if delimiter == UInt8(ascii: "\t") { return names.joined(separator: " ") + " (with tabs between)" }
        return names.joined(separator: String(UnicodeScalar(delimiter)))
    }
}
