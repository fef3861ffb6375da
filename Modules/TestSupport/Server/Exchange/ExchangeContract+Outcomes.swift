import TrendyDomain

extension ExchangeContract {
    private static func event(_ number: UInt64, type: UInt64 = 1, notes: String? = nil) -> Event {
        makeEvent(id: testId(number), eventTypeId: testId(type), notes: notes)
    }

    static let outcomeChecks = [
        Check("a mutation is accepted with a revision and what the server adds alone, taken as it was sent") { scene in
            let a = scene.a
            let create = try await a.send(a.create(event(2, notes: "first")))
            try expectOutcomes([create], [.accepted], "a create")
            try expectEqual(create.revision, 2, "revision of the second change")
            try expect(create.record == nil && create.server?.updatedAt != nil && !create.replayed, "\(create)")
            let patch: JSONValue = ["notes": "second", "location_name": nil]
            let update = try await a.send(a.update(.event, testId(2), base: 2, patch))
            try expect(update.outcome == .accepted && update.revision == 3 && update.record == nil, "\(update)")
            try await scene.expectContents([2: "second"], "notes", "an update")
            let deletion = try await a.send(a.delete(.event, testId(2), base: 3))
            try expect(deletion.outcome == .accepted && deletion.revision == 4, "\(deletion)")
            try expectEqual(try await a.sync().head, 4, "head")
        },
        Check("a mutation that changes nothing is accepted, and the record keeps its revision") { scene in
            let a = scene.a
            let result = try await a.send(a.update(.eventType, testId(1), base: 1, ["name": "coffee"]))
            try expect(result.outcome == .accepted && result.revision == 1, "\(result)")
            try expectEqual(try await a.sync().head, 1, "head")
        },
        Check("a mutation is accepted with the record where the server made something else of it") { scene in
            var create = try scene.a.create(event(2))
            create.data = [
                "id": .string(testId(2)), "event_type_id": .string(testId(1)),
                "timestamp": "2024-01-01T01:00:00+01:00",
            ]
            let result = try await scene.a.send(create)
            try expect(result.outcome == .accepted && result.server == nil, "\(result)")
            try expectEqual(result.record?["timestamp"], "2024-01-01T00:00:00.000Z", "timestamp")
        },
        Check("a patch changes the keys of a map one by one: null takes one out, others are replaced whole") { scene in
            let a = scene.a
            var event = event(2)
            event.properties = ["size": .text("small"), "sugar": .boolean(true)]
            try await a.send(a.create(event))
            let patches: [JSONValue] = [
                ["properties": ["size": ["type": "text", "value": "large"], "sugar": nil]],
                ["properties": ["milk": ["type": "boolean", "value": false]]],
            ]
            for (index, patch) in patches.enumerated() {
                let result = try await a.send(a.update(.event, testId(2), base: Int64(index) + 2, patch))
                try expect(result.outcome == .accepted && result.record == nil, "\(result)")
            }
            let merged: JSONValue = [
                "size": ["type": "text", "value": "large"], "milk": ["type": "boolean", "value": false],
            ]
            try await scene.expectContents([2: merged], "properties", "patches of a map")
            try await a.send(a.update(.event, testId(2), base: 4, ["properties": nil]))
            try await scene.expectContents([2: [:]], "properties", "a map that was cleared")
        },
        Check("a mutation is stale where its base is not the present version, which comes back") { scene in
            let (a, b) = (scene.a, scene.b)
            try await a.send(a.create(event(2)))
            try await b.catchUp()
            try await b.send(b.update(.event, testId(2), base: 2, ["notes": "theirs"]))
            let late = [a.update(.event, testId(2), base: 2, ["notes": "ours"]), a.delete(.event, testId(2), base: 2)]
            for mutation in late {
                let result = try await a.send(mutation)
                try expect(result.outcome == .stale && result.revision == 3, "\(result)")
                try expect(result.createdRevision == 2 && result.record?["notes"] == "theirs", "\(result)")
            }
            try await scene.expectContents([2: "theirs"], "notes", "stale mutations")
        },
        Check("a create never overwrites the record that has its id") { scene in
            try await scene.a.send(scene.a.create(event(2, notes: "theirs")))
            let result = try await scene.b.send(scene.b.create(event(2, notes: "ours")))
            try expect(result.outcome == .exists && result.revision == 2, "\(result)")
            try expectEqual(result.record?["notes"], "theirs", "notes of the answer")
            try await scene.expectContents([2: "theirs"], "notes", "a create")
        },
        Check("a create comes back with the record of the same natural or recognition key") { scene in
            let a = scene.a
            let type = try await a.send(a.create(makeEventType(id: testId(5), name: "coffee")))
            try expect(type.outcome == .duplicate && type.revision == 1, "\(type)")
            try expectEqual(type.record?["id"], .string(testId(1)), "id of the answer")
            try await a.sync([a.create(sample(2)), a.create(event(4))])
            let result = try await a.send(a.create(sample(3)))
            try expect(result.outcome == .duplicate && result.record?["id"] == .string(testId(2)), "\(result)")
            let patch: JSONValue = ["source_type": "healthkit", "healthkit_sample_id": "sample"]
            let update = try await a.send(a.update(.event, testId(4), base: 3, patch))
            try expectOutcomes([update], [.rejected], "an update to another record's recognition key")
        },
        Check(
            "a name in another case, form or width or with other blanks is the same name, and is kept as it was written"
        ) {
            scene in
            let a = scene.a
            let name = "Caf\u{E9} Stra\u{DF}e"
            try await a.send(a.create(makeEventType(id: testId(5), name: name)))
            for (number, same) in zip(UInt64(6)..., ["CAFE\u{301} STRASSE", " caf\u{E9}\u{A0}\u{200B}stra\u{DF}e\t"]) {
                let result = try await a.send(a.create(makeEventType(id: testId(number), name: same)))
                try expect(result.outcome == .duplicate && result.record?["id"] == .string(testId(5)), "\(result)")
            }
            let taken = try await a.send(a.update(.eventType, testId(1), base: 1, ["name": "\u{FF43}af\u{E9} strasse"]))
            try expectOutcomes([taken], [.rejected], "a change to a name that is taken")
            try await scene.expectContents([1: "coffee", 5: .string(name)], "name", "names")
            let written = "CAFE\u{301} strasse "
            let respelt = try await a.send(a.update(.eventType, testId(5), base: 2, ["name": .string(written)]))
            try expect(respelt.outcome == .accepted && respelt.revision == 3 && respelt.record == nil, "\(respelt)")
            let other = try await a.send(a.create(makeEventType(id: testId(9), name: "Cafe Strasse")))
            try expectOutcomes([other], [.accepted], "a name without its accent")
        },
        Check("the keys of one type's properties are such names, and so are the names of places") { scene in
            let a = scene.a
            let size = makePropertyDefinition(id: testId(30), eventTypeId: testId(1), key: "size")
            try await a.sync([a.create(size), a.create(makeGeofence(id: testId(40), name: "Home"))])
            let same = makePropertyDefinition(id: testId(31), eventTypeId: testId(1), key: "SIZE")
            let answer = try await a.sync([a.create(same), a.create(makeGeofence(id: testId(41), name: "home "))])
            try expectOutcomes(answer.results, [.duplicate, .duplicate], "a key and a place that are there")
            try expectEqual(
                answer.results.map { $0.record?["id"] }, [.string(testId(30)), .string(testId(40))], "the others")
        },
        Check("a mutation is rejected with every wrong field, and does not hold back the others") { scene in
            let a = scene.a
            try await a.send(a.create(makeEventType(id: testId(5), name: "tea")))
            let mutations = [
                try a.create(makeEventType(id: testId(6), name: " ")), try a.create(event(7)),
                a.update(.eventType, testId(5), base: 2, ["name": "coffee"]),
                a.update(.eventType, testId(5), base: 2, ["shade": "#000000"]),
                a.update(.eventType, testId(5), base: 2, ["name": nil]),
                SyncMutation(key: a.makeKey(), entityType: "meal", operation: .create, entityId: testId(8), data: [:]),
                SyncMutation(key: a.makeKey(), entityType: .event, operation: .create, entityId: testId(9)),
            ]
            let results = try await a.sync(mutations).results
            let others = Array(repeating: SyncOutcome.rejected, count: 5)
            try expectOutcomes(results, [.rejected, .accepted] + others, "mutations that break rules")
            try expectEqual(results.map(\.key), mutations.map(\.key), "keys")
            try expectEqual(results[0].errors?.map(\.field), ["name"], "wrong fields of a blank name")
            try expect(results[0].message?.isEmpty == false, "a rejected mutation has no message")
            try expectEqual(results[2].errors?.map(\.code), ["duplicate"], "code of a name that is taken")
            try expectEqual(results[3].errors?.map(\.code), ["unknown_field"], "code of an unknown field")
            try expectEqual(results[4].errors?.map(\.field), ["name"], "wrong fields of a name that was cleared")
        },
        Check("a mutation is blocked where its parent is not there, unless it is made before it") { scene in
            let a = scene.a
            let orphan = try a.create(event(2, type: 5))
            let result = try await a.send(orphan)
            try expect(result.outcome == .blocked && result.errors?.map(\.field) == ["event_type_id"], "\(result)")
            let answer = try await a.sync([a.create(makeEventType(id: testId(5), name: "tea")), orphan])
            try expectOutcomes(answer.results, [.accepted, .accepted], "a parent and its child")
            let moved = try await a.send(a.update(.event, testId(2), base: 3, ["event_type_id": .string(testId(6))]))
            try expectOutcomes([moved], [.blocked], "a move to a parent that is not there")
        },
    ]

    private static func sample(_ number: UInt64) -> Event {
        makeEvent(id: testId(number), sourceType: .healthKit, healthKitSampleId: "sample")
    }

    static let deletionChecks = [
        Check("what has a tombstone is deleted for all but a create that begins from it") { scene in
            let a = scene.a
            try await a.send(a.create(event(2)))
            try await a.send(a.delete(.event, testId(2), base: 2))
            let late = [
                a.update(.event, testId(2), base: 2, ["notes": "late"]), a.delete(.event, testId(2), base: 2),
                try a.create(event(2)),
            ]
            for mutation in late {
                let result = try await a.send(mutation)
                try expect(result.outcome == .deleted && result.revision == 3, "\(mutation.operation): \(result)")
            }
            let missing = try await a.send(a.update(.event, testId(9), base: 1, ["notes": "never there"]))
            try expect(missing.outcome == .deleted && missing.revision == 0, "\(missing)")
            let again = try await a.send(a.create(event(2, notes: "again"), base: 3))
            try expect(again.outcome == .accepted && again.revision == 4, "\(again)")
            let former = try await a.send(a.update(.event, testId(2), base: 2, ["notes": "late"]))
            try expect(former.outcome == .stale && former.createdRevision == 4, "another life: \(former)")
            let deletion = try await a.send(a.delete(.event, testId(2), base: 4))
            try expect(deletion.outcome == .accepted && deletion.revision == 5, "\(deletion)")
        },
        Check("a deletion takes children along, clears references, and tells of both alone") { scene in
            let a = scene.a
            var place = makeGeofence(id: testId(40))
            place.eventTypeEntryId = testId(1)
            let label = makePropertyDefinition(id: testId(30), eventTypeId: testId(1))
            try await a.catchUp()
            let made = try await a.sync([a.create(place), a.create(label), a.create(event(2)), a.create(event(3))])
            try expectEqual(made.changes, [], "changes of what results tell")
            let answer = try await a.sync([a.delete(.eventType, testId(1), base: 1)])
            try expectOutcomes(answer.results, [.accepted], "a deletion of a parent")
            let gone = answer.changes.filter(\.deleted).map(\.entityId).sorted()
            try expectEqual(gone, [testId(2), testId(3), testId(30)], "tombstones of children")
            let cleared = answer.changes.filter { !$0.deleted }
            try expect(cleared.map(\.entityId) == [testId(40)], "\(cleared)")
            try expectEqual(cleared.first?.record?["event_type_entry_id"] ?? .null, .null, "reference to what is gone")
            try expect(answer.head == 10 && answer.results[0].revision == 10, "the parent goes last: \(answer)")
        },
        Check("a deletion of a parent is stale while a child has changed that the device has not seen") { scene in
            let (a, b) = (scene.a, scene.b)
            try await a.send(a.create(event(2)))
            try await a.catchUp()
            try await b.catchUp()
            try await b.send(b.update(.event, testId(2), base: 2, ["notes": "unseen"]))
            let early = try await a.sync([a.delete(.eventType, testId(1), base: 1)])
            try expectOutcomes(early.results, [.stale], "a deletion over an edit that was not seen")
            try expectEqual(early.results[0].record?["name"], "coffee", "name of the answer")
            try expectEqual(early.changes.map(\.entityId), [testId(2)], "changes")
            try await scene.expectContents([2: "unseen"], "notes", "a stale deletion")
            // A child that the same request makes has been seen by the device.
            let late = try await a.sync([a.create(event(3)), a.delete(.eventType, testId(1), base: 1)])
            try expectOutcomes(late.results, [.accepted, .accepted], "a deletion of what was seen")
            try expect(try await scene.contents().isEmpty, "something is left of a parent and its children")
        },
        Check("a deletion of a parent is stale also where the request has cleared the unseen child") { scene in
            let (a, b) = (scene.a, scene.b)
            var child = event(2)
            child.geofenceId = testId(40)
            try await a.sync([a.create(makeGeofence(id: testId(40))), a.create(child)])
            try await a.catchUp()
            try await b.catchUp()
            try await b.send(b.update(.event, testId(2), base: 3, ["notes": "unseen"]))
            let deletions = [a.delete(.geofence, testId(40), base: 2), a.delete(.eventType, testId(1), base: 1)]
            let answer = try await a.sync(deletions)
            try expectOutcomes(answer.results, [.accepted, .stale], "deletions of both parents")
            try await scene.expectContents([2: "unseen"], "notes", "a stale deletion")
        },
    ]
}
