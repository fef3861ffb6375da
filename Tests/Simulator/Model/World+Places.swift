import Foundation
import TrendyDomain

extension World {
    /// An act as the server can have it: without its reference to a place, where its device had heard of the place's
    /// deletion before it sent the act. The reference does not come back when somebody makes the place anew.
    ///
    /// Whether the device had heard in time, what it sent tells. That counts only where the server had carried a deletion
    /// of the place out by then, and where the act was done before the place was made anew: who names the place
    /// afterwards means the new one.
    ///
    /// - Parameters:
    ///   - index: Which of all acts it is.
    ///   - sequence: The place of the act among all that the server did.
    func withoutLostPlace(_ act: Act, _ index: Int, at sequence: Int) -> Act {
        guard act.entityType == .event, let place = act.fields?["geofence_id"], let id = place.stringValue,
            server.effects[..<sequence].contains(where: { $0.operation == .delete && $0.ids.contains(id) }),
            acts[(index + 1)...].contains(where: { $0.makes(id) }),
            let sent = server.effects[sequence].sent(for: act.entityId), (sent["geofence_id"] ?? .null) == .null
        else { return act }
        var other = act
        switch act.change {
        case .create(var fields):
            fields["geofence_id"] = nil
            other.change = .create(fields)
        case .update(var changes):
            changes["geofence_id"] = .null
            other.change = .update(changes)
        case .delete: break
        }
        return other
    }

    /// An act as the server can have it: an edit says nothing of a place that no server ever had, because its device
    /// gave that place's creation up. Then the event is back at the place that it had before.
    ///
    /// That counts only where the edit went out as an update that does not name the field: a creation that is without
    /// one says that there is none.
    ///
    /// - Parameter sequence: The place of the act among all that the server did.
    func withoutUnbornPlace(_ act: Act, at sequence: Int) -> Act {
        guard act.entityType == .event, droppers.contains(act.device), case .update(var changes) = act.change,
            let id = changes["geofence_id"]?.stringValue, !server.effects.contains(where: { $0.made.contains(id) }),
            server.effects[sequence].operation == .update,
            let sent = server.effects[sequence].sent(for: act.entityId), sent["geofence_id"] == nil
        else { return act }
        changes["geofence_id"] = nil
        var other = act
        other.change = .update(changes)
        return other
    }
}

extension Act {
    /// What it says of its record; nil for a deletion.
    fileprivate var fields: [String: JSONValue]? {
        switch change {
        case .create(let fields), .update(let fields): fields
        case .delete: nil
        }
    }

    fileprivate func makes(_ id: String) -> Bool {
        if case .create = change { entityId == id } else { false }
    }
}

extension ServerEffect {
    /// What was sent about a record; nil where nothing was.
    fileprivate func sent(for id: String) -> [String: JSONValue]? {
        guard let fields = try? WireCoding.decode([String: JSONValue].self, from: Data(body.utf8)) else { return nil }
        for case .array(let items) in fields.values {
            if let own = items.compactMap(\.objectValue).first(where: { $0["id"] == .string(id) }) { return own }
        }
        let isAbout = operation == .update ? landed[id] != nil : fields["id"] == .string(id)
        return isAbout ? fields : nil
    }
}
