import TrendyDomain
import TrendyNotation

/// The properties that the types here have already, for columns of a CSV file that are named like them.
@MainActor
struct KnownProperties {
    let types: ImportTypes
    let values: PropertyText

    /// What is here now; nothing is made.
    init(context: CommandContext) throws {
        types = try ImportTypes(context: context, createsMissing: false)
        values = context.properties
    }

    /// The property with this key, whatever its case, of the type of that name; nil where there is none.
    func definition(_ key: String, ofType name: String) throws -> PropertyDefinition? {
        guard let type = try? types.type(named: name) else { return nil }
        return try types.present(key, of: type)
    }

    /// Whether the property can have the value that a field writes.
    func takes(_ field: String, _ definition: PropertyDefinition, hasDecimalCommas: Bool) -> Bool {
        let text =
            switch definition.propertyType {
            case .number where hasDecimalCommas: DecimalComma.withPoint(field)
            case .duration: WrittenLength.plain(field)
            default: field
            }
        return (try? values.parse(text, as: definition)) != nil
    }
}
