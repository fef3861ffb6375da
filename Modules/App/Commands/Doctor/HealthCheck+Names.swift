import TrendyData
import TrendyDomain

extension HealthCheck {
    /// Whether names that are the same belong to one type or place each; no finding if they do.
    ///
    /// There can be several on a server that compares names as they are spelt, or where they were made before names were
    /// compared by their keys. Nothing is wrong with their records, but a person means one.
    static let names = HealthCheck(name: "names") { scene in
        guard scene.store == .sound else { return [] }
        let reader = try scene.context.reader
        let made = try reader.mutations(MutationQuery(states: [.queued, .sending, .parked], operations: [.create]))
        let types = try same(in: reader.fetch(EventType.self).map(\.entity), by: \.name).map { same in
            let (kept, other) = (ShortId.of(same[0].id), ShortId.of(same[1].id))
            return HealthFinding.warning(
                "\(same.count) types have the same name: \(listed(same, by: \.name))",
                remedy: joining(same.map(\.id), made)
                    ?? "trendy edit type:\(other) --type \(kept), and then trendy type rm \(other)")
        }
        let places = try same(in: reader.fetch(Geofence.self).map(\.entity), by: \.name).map { same in
            HealthFinding.warning(
                "\(same.count) places have the same name: \(listed(same, by: \.name))",
                remedy: joining(same.map(\.id), made)
                    ?? "trendy place edit \(ShortId.of(same[1].id)) --name NAME")
        }
        return types + places
    }

    /// How records become one by themselves: a server answers a new one by the one that has its name.
    ///
    /// - Returns: Nil where none of them is still to be sent.
    private static func joining(_ ids: [String], _ made: [PendingMutation]) -> String? {
        let unsent = made.filter { ids.contains($0.entityId) }
        if unsent.isEmpty { return nil }
        let parked = unsent.filter { $0.state.name == .parked }.map { "\($0.id)" }
        let retry = parked.isEmpty ? "" : "trendy queue retry \(parked.joined(separator: " ")), and then "
        return "\(retry)trendy sync: they become one where the server has the name"
    }

    /// The records that share their names, the oldest first.
    private static func same<Entity: SyncEntity>(in records: [Entity], by name: (Entity) -> String) -> [[Entity]] {
        Dictionary(grouping: records) { NameKey(name($0)) }.filter { $0.value.count > 1 }
            .sorted { $0.key.text < $1.key.text }.map { $0.value.sorted { $0.id < $1.id } }
    }

    private static func listed<Entity: SyncEntity>(_ records: [Entity], by name: (Entity) -> String) -> String {
        records.map { "\(name($0)) (\(ShortId.of($0.id)))" }.joined(separator: ", ")
    }
}
