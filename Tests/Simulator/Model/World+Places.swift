import Foundation
import TrendyDomain

extension World {
    /// An act as the server can have it: without its reference to a place, where its device had heard of the place's
    /// deletion before it sent the act. The reference does not come back when somebody makes the place anew, nor when the
    /// device gives its own deletion of the place up while the event is away with its type, or stands at another place:
    /// where that other one is given up too, the event is back where the server has it.
    ///
    /// Whether the device had heard in time, what it sent tells. For the deletion of others that counts only where the
    /// server had carried it out by then, and where the act was done before the place was made anew: who names the place
    /// afterwards means the new one.
    ///
    /// - Parameters:
    ///   - index: Which of all acts it is.
    ///   - sequence: The place of the act among all that the server did.
    func withoutLostPlace(_ act: Act, _ index: Int, at sequence: Int) -> Act {
        guard act.entityType == .event, let place = act.fields?["geofence_id"], let id = place.stringValue,
            isLost(id, from: act, index, at: sequence), let sent = server.effects[sequence].sent(for: act.entityId),
            (sent["geofence_id"] ?? .null) == .null
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

    private func isLost(_ place: String, from act: Act, _ index: Int, at sequence: Int) -> Bool {
        if placeless.contains(EventPlace(device: act.device, event: act.entityId, place: place)) { return true }
        return server.effects[..<sequence].contains { $0.operation == .delete && $0.ids.contains(place) }
            && acts[(index + 1)...].contains { $0.makes(place) }
    }

    /// An act as the server can have it: an edit says nothing of a place or type that no server ever had, because its
    /// device gave that one's creation up; or that a server had, and lost when the device had given it up. Then the event is back where the server has it: what the same edit had said
    /// of that field before was overtaken by then.
    ///
    /// That counts only where the edit went out as an update that does not name the field: a creation that is without
    /// one says that there is none.
    ///
    /// - Parameters:
    ///   - index: Which of all acts it is.
    ///   - sequence: The place of the act among all that the server did.
    func withoutUnbornParent(_ act: Act, _ index: Int, at sequence: Int) throws -> Act {
        guard act.entityType == .event, droppers.contains(act.device), case .update(var changes) = act.change,
            server.effects[sequence].operation == .update, let sent = server.effects[sequence].sent(for: act.entityId)
        else { return act }
        for field in ["geofence_id", "event_type_id"] where changes[field] != nil && sent[field] == nil {
            let isGivenUp = try acts[index...].contains { later in
                guard later.device == act.device, later.entityId == act.entityId,
                    case .update(let named) = later.change, let id = named[field]?.stringValue
                else { return false }
                return try isTakenBack(id, by: later.device) && self.sequence(of: later) == sequence
            }
            if isGivenUp { changes[field] = nil }
        }
        var other = act
        other.change = .update(changes)
        return other
    }

    /// Whether no server has what a device made, or none any more by that device's doing.
    private func isTakenBack(_ id: String, by device: Int) -> Bool {
        !server.effects.contains { $0.made.contains(id) }
            || server.effects.contains { $0.device == device && $0.operation == .delete && $0.ids.contains(id) }
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

extension World {
    /// An act as the server can have it: what a second creation says no more than the first has lost to the record that is
    /// like it, and is listed there. So it went out as an edit of that record, without those fields.
    func withoutLostFields(_ act: Act, on id: String, at sequence: Int) -> Act {
        guard id != act.entityId, server.effects[sequence].operation == .update, let fields = act.fields,
            let sent = server.effects[sequence].sent(for: id)
        else { return act }
        var other = act
        other.change = .update(fields.filter { sent[$0.key] != nil })
        return other
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
