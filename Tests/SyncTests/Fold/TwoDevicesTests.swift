import Testing
import TrendyDomain

@testable import TrendySync

/// A device in a random history: what it holds, and what its person was told.
private struct FoldDevice {
    var name: String
    var record: OpenRecord
    var conflicts: [MergeConflict] = []
    var count: Int64 = 0

    mutating func nextKey() -> String {
        count += 1
        return "\(name)\(count)"
    }
}

/// Two devices and a server, with a network that loses, delays and repeats, and a server that forgets keys.
private struct RandomHistory {
    var random: RandomRecords
    var server = SmallServer()
    var devices: [FoldDevice]
    /// Values that a person typed, by the place.
    var typed: [FieldPath: Set<JSONValue>] = [:]
    /// Values that a person has seen and replaced, deleted or given up.
    var replaced: [FieldPath: Set<JSONValue>] = [:]
    var delayed: [(OpenOperation, base: Int64)] = []

    static let paths = RandomRecords.paths + [FieldPath("x_future")]

    init(seed: UInt64) {
        random = RandomRecords(seed: seed)
        // The second device runs a newer version.
        var newer = RandomRecords.shape
        newer.fields.insert("x_future")
        if random.chance(70) {
            let document: RecordDocument = ["id": "r", "name": "first", "x_future": "from the start"]
            (server.base, server.head) = (.document(document, revision: 1), 1)
            for path in Self.paths { typed[path] = [document[path]] }
        }
        devices = zip("AB", [RandomRecords.shape, newer]).map { [base = server.base] name, shape in
            FoldDevice(name: "\(name)", record: OpenRecord(shape: shape, base: base))
        }
    }

    mutating func step() {
        let index = random.below(2)
        switch random.below(12) {
        case 0...3: edit(index)
        case 4: pull(index)
        case 5...8: send(index)
        case 9:
            guard !delayed.isEmpty else { return }
            let (operation, base) = delayed.remove(at: random.below(delayed.count))
            _ = server.receive(operation, base: base)
        case 10: server.keys = [:]
        default: if random.chance(20) { drop(index) }
        }
    }

    private mutating func edit(_ index: Int) {
        let key = devices[index].nextKey()
        let visible = devices[index].record.visible
        let paths = devices[index].record.shape.fields.contains("x_future") ? Self.paths : RandomRecords.paths
        let change: OpenOperation.Change
        if let document = visible.document {
            if random.chance(12) {
                change = .delete
                for path in Self.paths { replaced[path, default: []].insert(document[path]) }
            } else {
                var values: [FieldPath: JSONValue] = [:]
                for part in 0...random.below(2) {
                    let path = paths[random.below(paths.count)]
                    values[path] = random.chance(15) ? .null : .string("\(key).\(part)")
                }
                for (path, value) in values {
                    typed[path, default: []].insert(value)
                    replaced[path, default: []].insert(document[path])
                }
                change = .update(FieldPatch(values))
            }
        } else {
            var document: RecordDocument = ["id": "r"]
            for path in paths where random.chance(60) {
                document[path] = .string("\(key)")
                typed[path, default: []].insert(document[path])
            }
            change = .create(document)
        }
        _ = devices[index].record.append(OpenOperation(change, key: key, position: devices[index].count))
    }

    private mutating func merge(_ index: Int, _ theirs: Base) {
        let result = devices[index].record.merging(theirs)
        devices[index].record = result.record
        devices[index].conflicts += result.conflicts
    }

    private mutating func pull(_ index: Int) {
        if server.base.revision > devices[index].record.base.revision { merge(index, server.base) }
    }

    private mutating func send(_ index: Int) {
        guard let first = devices[index].record.operations.first, !first.isParked else { return }
        let base = devices[index].record.base.revision
        devices[index].record.operations[0].isInFlight = true
        switch random.below(6) {
        case 0: break
        case 1: delayed.append((first, base))
        case 2: _ = server.receive(first, base: base)
        default:
            if random.chance(10) { delayed.append((first, base)) }
            devices[index].conflicts += devices[index].record.sendFirst(to: &server) ?? []
        }
    }

    private mutating func drop(_ index: Int) {
        let open = devices[index].record.operations
        guard !open.isEmpty else { return }
        for gone in devices[index].record.drop(open[random.below(open.count)].key) { give(up: gone.change) }
    }

    private mutating func give(up change: OpenOperation.Change) {
        for path in Self.paths {
            switch change {
            case .create(let document): replaced[path, default: []].insert(document[path])
            case .update(let patch): replaced[path, default: []].insert(patch.values[path] ?? .null)
            case .delete: break
            }
        }
    }

    /// All requests arrive, and all answers.
    mutating func settle() {
        for (operation, base) in delayed { _ = server.receive(operation, base: base) }
        for _ in 0..<20 {
            for index in devices.indices {
                devices[index].conflicts += devices[index].record.sendAll(to: &server)
                pull(index)
            }
        }
    }

    /// The values that are somewhere still: in the record, in a list of conflicts, or parked.
    func kept(_ path: FieldPath) -> Set<JSONValue> {
        var kept: Set<JSONValue> = [.null, server.base.document?[path] ?? .null]
        for device in devices {
            kept.insert(device.record.visible.document?[path] ?? .null)
            for conflict in device.conflicts {
                switch conflict {
                case .value(path, _, let theirs, _): kept.insert(theirs)
                case .value: break
                case .deletedElsewhere(let document), .editedElsewhere(let document): kept.insert(document[path])
                }
            }
        }
        return kept
    }
}

@Suite("Two devices that edit one record, with a network that loses and a server that forgets")
struct TwoDevicesTests {
    @Test("become equal to the server, and lose no value that a person typed")
    func converge() {
        var parked = 0
        for seed in UInt64(0)..<6000 {
            var history = RandomHistory(seed: seed)
            for _ in 0..<40 { history.step() }
            history.settle()
            for device in history.devices {
                let open = device.record.operations
                parked += open.isEmpty ? 0 : 1
                #expect(!open.contains { !$0.isParked }, "seed \(seed)")
                #expect(open.isEmpty || history.server.base.document == nil, "seed \(seed)")
                guard open.isEmpty else { continue }
                #expect(device.record.visible.document == history.server.base.document, "seed \(seed)")
            }
            for (path, values) in history.typed {
                let lost = values.subtracting(history.kept(path)).subtracting(history.replaced[path] ?? [])
                #expect(lost.isEmpty, "seed \(seed): \(path) has lost \(lost)")
            }
        }
        #expect(parked > 0, "no history parks anything")
    }
}
