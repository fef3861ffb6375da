package import TrendyDomain
package import TrendyNotation

/// Guesses the kind of a property from the values of a CSV column.
enum ColumnKind {
    /// The kind that fits all of these values; text if no other does, or if there are no values.
    ///
    /// - Parameter hasDecimalCommas: Whether `7,5` is a number in the file. Then `1,234` counts as a number, too, and
    ///   becomes a bad row.
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

    /// Whether the text can only be a duration: `400m` may be metres.
    private static func namesTime(_ text: String) -> Bool {
        !text.lowercased().allSatisfy { $0.isNumber || $0.isWhitespace || $0 == "." || $0 == "," || $0 == "m" }
    }
}

/// The existing properties of types, to match them with columns of a CSV file.
@MainActor
package struct KnownProperties {
    package let types: any ImportableTypes
    package let values: PropertyText

    package init(types: any ImportableTypes, values: PropertyText) {
        self.types = types
        self.values = values
    }

    /// The property of a type with this key, ignoring case; nil if there is none.
    package func definition(_ key: String, ofType name: String) throws -> PropertyDefinition? {
        guard let type = try? types.type(named: name) else { return nil }
        return try types.present(key, of: type)
    }

    /// Whether the property accepts the value of a field.
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

/// Detects a CSV file without a line of column names.
@MainActor
struct MissingHeader {
    /// The fields of the first line.
    let names: [String]
    /// Rows with the same number of fields.
    let rows: [[String]]
    let times: ColumnTimes
    /// The delimiter.
    let delimiter: UInt8

    /// Refuses a file without names, because its first row would be lost.
    ///
    /// - Parameter named: The columns that the person named, which are accepted as names.
    /// - Throws: ``InputError`` if a name is a time and the values below are times, too.
    func refuse(beside named: [String]) throws {
        let meant = Set(named.map(Names.trimmed))
        guard let index = names.indices.first(where: { !meant.contains(names[$0]) && isData($0) }) else { return }
        throw InputError.data(
            "the first line has data (\(names[index])) instead of column names; add a line like \(example) above it")
    }

    /// Whether a name and its values are times. A table with a column per day has days as names, but no times below.
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
        if delimiter == UInt8(ascii: "\t") { return names.joined(separator: " ") + " (separated by tabs)" }
        return names.joined(separator: String(UnicodeScalar(delimiter)))
    }
}
