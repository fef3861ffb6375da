import TrendyDomain
import TrendyNotation
import TrendySync
import TrendyTerminal

extension LocalWrites {
    /// Stores that properties name their units.
    ///
    /// - Throws: ``CommandFailure`` where one was changed in the meantime: what was written may mean another unit then.
    func store(_ units: [NamedUnit]) throws {
        for named in units {
            let present = try find(PropertyDefinition.self, id: named.before.id)
            guard let present, present.label == named.before.label || present.label == named.after.label else {
                throw CommandFailure.data(
                    "the property '\(named.before.key)' was changed in the meantime; nothing was stored, try again")
            }
            try change(named.before, to: named.after, named: named.before.key)
        }
    }
}
