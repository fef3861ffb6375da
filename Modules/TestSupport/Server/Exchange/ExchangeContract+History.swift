import TrendyDomain

extension ExchangeContract {
    private static func event(_ number: UInt64, notes: String? = nil) -> Event {
        makeEvent(id: testId(number), notes: notes)
    }

    static let replayChecks = [
        Check("a mutation takes effect once, and is answered again with the revision of then") { scene in
            let a = scene.a
            let mutations = [
                try a.create(event(2)), a.update(.event, testId(2), base: 2, ["notes": "a"]),
                a.delete(.event, testId(2), base: 3),
            ]
            for (index, mutation) in mutations.enumerated() {
                let (first, second) = (try await a.send(mutation), try await a.send(mutation))
                try expect(first.outcome == .accepted && first.revision == Int64(index) + 2, "first: \(first)")
                try expect(second.outcome == .accepted && second.replayed, "second: \(second)")
                try expectEqual(second.revision, first.revision, "revision of a replay")
                try expectEqual(second.record?["notes"], index == 1 ? "a" : nil, "the record of a replayed edit")
            }
            let late = try await a.send(mutations[0])
            try expect(late.replayed && late.revision == 2 && late.record == nil, "after later changes: \(late)")
            let twice = try a.create(event(3))
            try expectEqual(
                try await a.sync([twice, twice]).results.map(\.revision), [5, 5], "one key in one request")
            try expectEqual(try await a.sync().head, 5, "head")
        },
        Check("a replayed result leaves the change in the answer") { scene in
            let a = scene.a
            try await a.catchUp()
            let place = (a.epoch, a.cursor)
            let create = try a.create(event(2))
            try await a.send(create)
            (a.epoch, a.cursor) = place
            let answer = try await a.sync([create])
            try expect(answer.results[0].replayed, "\(answer.results)")
            try expectEqual(answer.changes.map(\.entityId), [testId(2)], "changes")
        },
        Check("a mutation whose key was forgotten has no second effect: its base does not fit any more") { scene in
            guard let forgetKeys = scene.subject.forgetKeys else { return }
            let a = scene.a
            let mutations: [(SyncMutation, SyncOutcome)] = [
                (try a.create(event(2, notes: "a")), .exists),
                (a.update(.event, testId(2), base: 2, ["notes": "b"]), .stale),
                (a.delete(.event, testId(2), base: 3), .deleted),
            ]
            for (mutation, outcome) in mutations {
                try await a.send(mutation)
                try await forgetKeys()
                try expectOutcomes([try await a.send(mutation)], [outcome], "\(mutation.operation) sent again")
            }
            try expectEqual(try await a.sync().head, 4, "head")
        },
        Check("a mutation that was not accepted is judged anew") { scene in
            let orphan = try scene.a.create(makeEvent(id: testId(2), eventTypeId: testId(5)))
            try expectOutcomes([try await scene.a.send(orphan)], [.blocked], "an orphan")
            try await scene.b.send(scene.b.create(makeEventType(id: testId(5), name: "tea")))
            try expectOutcomes([try await scene.a.send(orphan)], [.accepted], "the orphan sent again")
        },
        Check("a key that comes with anything else than before is judged as a new one, by its base") { scene in
            let a = scene.a
            let create = try a.create(event(2, notes: "first"))
            try await a.send(create)
            func other(_ mutation: SyncMutation, _ key: String) -> SyncMutation {
                var other = mutation
                other.key = key
                return other
            }
            let again = try await a.send(other(a.create(event(2, notes: "joined")), create.key))
            try expect(again.outcome == .exists && again.record?["notes"] == "first", "another payload: \(again)")
            try expect(try await a.send(create).replayed, "the first payload is not known any more")
            let update = a.update(.event, testId(2), base: 2, ["notes": "second"])
            try await a.send(update)
            let late = a.update(.event, testId(2), base: 2, ["notes": "third"])
            try expectOutcomes([try await a.send(other(late, update.key))], [.stale], "another patch")
            let deletion = a.delete(.event, testId(2), base: 2)
            try expectOutcomes([try await a.send(other(deletion, update.key))], [.stale], "another operation")
            try await scene.expectContents([2: "second"], "notes", "keys with other payloads")
            // With the right base it is a mutation like any other, and the key stands for it from then on.
            let fresh = other(a.update(.event, testId(2), base: 3, ["notes": "third"]), update.key)
            let (done, twice) = (try await a.send(fresh), try await a.send(fresh))
            try expect(done.outcome == .accepted && !done.replayed && done.revision == 4, "\(done)")
            try expect(twice.replayed && twice.revision == 4, "\(twice)")
            let both = [try a.create(event(3)), other(try a.create(event(4)), "both"), try a.create(event(5))]
            let results = try await a.sync(both.map { other($0, "both") }).results
            try expectOutcomes(results, [.accepted, .accepted, .accepted], "one key for three records")
        },
        Check("a mutation is known again by its key whatever its base") { scene in
            let a = scene.a
            try await a.send(a.create(event(2)))
            var update = a.update(.event, testId(2), base: 2, ["notes": "once"])
            try await a.send(update)
            update.base = 3
            let again = try await a.send(update)
            try expect(again.replayed && again.revision == 3, "over another base: \(again)")
        },
    ]

    static let changeChecks = [
        Check("a change goes from one device to the other with one request of each") { scene in
            let (a, b) = (scene.a, scene.b)
            try await b.catchUp()
            try await a.sync([a.create(event(2, notes: "hello"))])
            let change = try await b.sync().changes
            try expect(change.map(\.entityId) == [testId(2)] && change.map(\.revision) == [2], "\(change)")
            try expect(change[0].createdRevision == 2 && change[0].record?["notes"] == "hello", "\(change)")
            try expectEqual(try await b.sync().changes, [], "changes after the last one")
        },
        Check("a record that was changed ten times is one change, in the order of the latest changes") { scene in
            let (a, b) = (scene.a, scene.b)
            try await b.catchUp()
            try await a.sync([a.create(event(2)), a.create(event(3)), a.create(event(4))])
            for round in 0..<10 {
                let base = round == 0 ? 2 : Int64(round) + 4
                try await a.send(a.update(.event, testId(2), base: base, ["notes": .string("\(round)")]))
            }
            let changes = try await b.sync().changes
            try expectEqual(changes.map(\.entityId), [3, 4, 2].map(testId), "changes")
            try expect(changes[2].record?["notes"] == "9" && changes[2].createdRevision == 2, "\(changes)")
        },
        Check("changes tell of deletions, and of a record that was brought back") { scene in
            let (a, b) = (scene.a, scene.b)
            try await a.sync([a.create(event(2)), a.create(event(3))])
            try await b.catchUp()
            try await a.send(a.delete(.event, testId(2), base: 2))
            let gone = try await b.sync().changes
            try expect(gone.map(\.entityId) == [testId(2)] && gone.map(\.deleted) == [true], "\(gone)")
            try await a.send(a.create(event(2, notes: "again"), base: 4))
            let back = try await b.sync().changes
            try expect(back.map(\.deleted) == [false] && back[0].createdRevision == 5, "\(back)")
        },
        Check("pages leave nothing out, whatever happens between them") { scene in
            let (a, b) = (scene.a, scene.b)
            try await b.catchUp()
            try await a.sync((2...10).map { try a.create(event($0)) })
            for limit in [1, 4] {
                var seen: [String: JSONValue] = [:]
                var round: UInt64 = 0
                var answer: SyncResponse
                repeat {
                    answer = try await b.sync(limit: limit)
                    try expect(answer.changes.count <= limit, "\(answer.changes.count) changes in a page of \(limit)")
                    for change in answer.changes { seen[change.entityId] = change.record }
                    if round < 3 {
                        let note = JSONValue.string("\(limit).\(round)")
                        let base = try await revision(of: testId(2 + round), scene)
                        try await a.send(a.update(.event, testId(2 + round), base: base, ["notes": note]))
                    }
                    round += 1
                } while answer.more || round <= 3
                for round in 0..<3 {
                    let notes = seen[testId(2 + UInt64(round))]?["notes"]
                    try expectEqual(notes, .string("\(limit).\(round)"), "notes after pages of \(limit)")
                }
                if limit == 1 { try expectEqual(seen.count, 9, "records seen in pages") }
            }
        },
        Check("a snapshot shows each record once, parents first, and then what changed meanwhile") { scene in
            let a = scene.a
            var place = makeGeofence(id: testId(40))
            place.eventTypeEntryId = testId(1)
            try await a.sync((2...8).map { try a.create(event($0)) } + [a.create(place)])
            for limit in [1, 3, 50] {
                let reader = ExchangePeer(named: "reader \(limit)", exchange: scene.subject.exchange)
                var all = try await reader.sync(limit: limit).changes
                let added = event(20 + UInt64(limit), notes: "\(limit)")
                let base = try await revision(of: testId(3), scene)
                let patch: JSONValue = ["notes": .string("\(limit)")]
                try await a.sync([a.create(added), a.update(.event, testId(3), base: base, patch)])
                all += try await reader.catchUp(limit: limit)
                try expectEqual(Array(all.prefix(2).map(\.entityType)), [.eventType, .geofence], "kinds of parents")
                let latest = Dictionary(all.map { ($0.entityId, $0) }, uniquingKeysWith: { $1 })
                try expectEqual(latest.compactMapValues(\.record), try await scene.contents(), "records")
            }
        },
        Check("a snapshot that begins beside mutations is followed by what these have deleted") { scene in
            let a = scene.a
            try await a.sync([a.create(makeEventType(id: testId(30), name: "tea"))])
            a.cursor = nil
            let child = makeEvent(id: testId(31), eventTypeId: testId(30))
            let first = try await a.sync([a.create(child), a.delete(.eventType, testId(30), base: 2)])
            try expectOutcomes(first.results, [.accepted, .accepted], "a child and the deletion of its parent")
            try expect(first.more, "there is no more, though there are tombstones after the snapshot")
            let rest = try await a.sync().changes
            try expect(rest.contains { $0.entityId == testId(31) && $0.deleted }, "no tombstone: \(rest)")
        },
    ]

    private static func revision(of id: String, _ scene: Scene) async throws -> Int64 {
        let changes = try await ExchangePeer(named: "reader", exchange: scene.subject.exchange).catchUp()
        return changes.last { $0.entityId == id }?.revision ?? 0
    }

    static let historyChecks = [
        Check("a history of another name is refused before anything is carried out, and goes on anew") { scene in
            let a = scene.a
            let mutation = try a.create(event(2))
            let epoch = a.epoch
            a.forgetPlace()
            a.epoch = "another"
            let based = a.delete(.eventType, testId(1), base: 1)
            try await expectRefusal(409, "epoch_changed", "another epoch") { try await a.sync([mutation, based]) }
            try expectEqual(try await scene.contents().count, 1, "records after a request that was refused")
            a.forgetPlace()
            let answer = try await a.sync([mutation])
            try expectOutcomes(answer.results, [.accepted], "a create with a snapshot")
            try expectEqual(answer.epoch, epoch ?? "", "epoch")
            try expectEqual(answer.changes.map(\.entityId), [testId(1)], "changes")
        },
        Check("a base beyond the head gives the history another name, and a device that knows nothing else goes on") {
            scene in
            let (a, b) = (scene.a, scene.b)
            try await b.catchUp()
            let epoch = b.epoch
            let ahead = a.delete(.eventType, testId(1), base: 2)
            try await expectRefusal(409, "epoch_changed", "a base beyond the head") { try await a.sync([ahead]) }
            try expectEqual(try await b.sync().changes, [], "changes for who knows no lost revision")
            try expect(b.epoch != epoch, "the history still has its former name")
        },
        Check("a cursor or a base needs the epoch that it belongs to") { scene in
            let a = scene.a
            a.epoch = nil
            try await expectRefusal(400, "validation", "a cursor without an epoch") { try await a.sync() }
            a.forgetPlace()
            let mutation = a.delete(.eventType, testId(1), base: 1)
            try await expectRefusal(400, "validation", "a base without an epoch") { try await a.sync([mutation]) }
        },
        Check("who has read less than the tombstones reach back must take everything anew") { scene in
            guard let pruneTombstones = scene.subject.pruneTombstones else { return }
            let (a, b) = (scene.a, scene.b)
            try await b.catchUp()
            try await a.sync([a.create(event(2)), a.create(event(3))])
            try await a.send(a.delete(.event, testId(2), base: 2))
            try await a.catchUp()
            try await pruneTombstones()
            let mutation = try b.create(event(4))
            try await expectRefusal(410, "cursor_expired", "a cursor before the horizon") {
                try await b.sync([mutation])
            }
            try expectEqual(try await a.sync().changes, [], "changes after the horizon")
            b.forgetPlace()
            try expectEqual(try await b.catchUp().map(\.entityId), [1, 3].map(testId), "records")
            let gone = try await b.send(b.delete(.event, testId(2), base: 2))
            try expect(gone.outcome == .deleted && gone.revision == 0, "\(gone)")
        },
        Check("a request with too many mutations is refused, and nothing is carried out") { scene in
            let a = scene.a
            let mutations = try (0...UInt64(SyncRequest.mutationLimit)).map { try a.create(event($0 + 2)) }
            try await expectRefusal(413, "bad_request", "\(mutations.count) mutations") { try await a.sync(mutations) }
            try expectEqual(try await a.sync().head, 1, "head")
        },
    ]
}
